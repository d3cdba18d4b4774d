export type {
  ColumnRule,
  DefinitionRule,
  JsonRule,
  JsonRulePlace,
  JsonSteps,
  ModelRule,
  ParsedColumnRule,
  PreserveRule,
  ProducingRule,
  RuleModifiers,
  RuleProblem,
  TemplateRule,
  Training,
} from './column-rule.js';
export { checkColumnRules, type RuledTable, type RuleFindings } from './check-column-rules.js';
export {
  FEWEST_DIFFERING_VALUES,
  FEWEST_DIFFERING_VALUES_PROTECTED,
  tooFewToDiffer,
} from './differing-values.js';
export { definitionOfRule } from './definition-of-rule.js';
export { parseColumnRule } from './parse-column-rule.js';
