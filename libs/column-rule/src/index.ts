export {
  type ColumnRule,
  type DefinitionRule,
  type JsonRule,
  type JsonPathRule,
  type JsonSteps,
  type ModelRule,
  type ParsedColumnRule,
  type PreserveRule,
  type ProducingRule,
  type RuleModifiers,
  type RuleProblem,
  type TemplateRule,
  type Training,
  definitionOfRule,
} from './column-rule.js';
export { checkColumnRules, type RuledTable, type RuleCheck } from './check-column-rules.js';
export { FEWEST_DIFFERING_VALUES, tooFewToDiffer } from './differing-values.js';
export { parseColumnRule } from './parse-column-rule.js';
