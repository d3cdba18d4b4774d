import type { RuleProblem } from '@understudy/column-rule';

/** A rule that cannot run. It is detected before the first row. `column` is the column's name. */
export class MaskingRuleError extends Error {
  constructor(
    readonly code:
      | 'rule_invalid'
      | 'rules_in_cycle'
      | 'rule_depends_on_row'
      | 'model_not_found'
      | 'model_exhausted'
      | 'model_text_refused'
      | 'too_few_values',
    readonly column: string,
    readonly problems: readonly RuleProblem[],
  ) {
    super(problems.map(({ path, message }) => `${path}: ${message}`).join('; '));
    this.name = 'MaskingRuleError';
  }
}

/** A cell that cannot be produced. The message names the column and never contains a value. */
export class MaskingError extends Error {
  constructor(
    readonly code:
      | 'generation_failed'
      | 'unique_capacity'
      | 'key_too_large'
      | 'value_invalid'
      | 'verification_failed',
    readonly column: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'MaskingError';
  }
}
