import { EvaluationError } from '../errors.js';
import { typeName } from '../operators.js';
import { spend } from '../work-budget.js';

/** An argument whose elements a function goes through; they are spent from the budget. @throws EvaluationError */
export function array(value: unknown, user: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new EvaluationError(`"${user}" needs an array, got ${typeName(value)}`);
  spend(value.length);
  return value;
}
