export type {
  ColumnRule,
  DefinitionRule,
  ModelRule,
  ParsedColumnRule,
  PreserveRule,
  RuleModifiers,
  RuleProblem,
  TemplateRule,
  Training,
} from './column-rule.js';
export { definitionOfRule } from './definition-of-rule.js';
export { parseColumnRule } from './parse-column-rule.js';
