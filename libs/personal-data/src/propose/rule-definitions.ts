import type { Detection } from '../detect/detection.js';
import type { TypeGroup } from '../detect/type-group.js';

/** A column rule or a generator definition in the syntax of a job. */
export type RuleDefinition = Readonly<Record<string, unknown>>;

/** Returns a rule that generates text from named steps. @param body the text, with steps as `{{name}}` */
export function composed(steps: RuleDefinition, body: string): RuleDefinition {
  return { generator: { let: steps, body } };
}

export function model(source: string): RuleDefinition {
  return { type: 'model', source };
}

export function digits(count: number): RuleDefinition {
  return { type: 'svc', algorithm: 'digits', params: { digits: count, leading_zero: true } };
}

export function integer(min: number, max: number): RuleDefinition {
  return { type: 'svc', algorithm: 'int_between', params: { min, max } };
}

/** Returns a generator of a list of random digits. The elements are numbers, so expressions can add them. */
export function digitList(count: number): RuleDefinition {
  return { repeat: { count, of: integer(0, 9) } };
}

/** Returns a generator of a list of random capital letters. */
export function letterList(count: number): RuleDefinition {
  return { repeat: { count, of: { type: 'list', values: [...'ABCDEFGHJKLMNPRSTUVWXYZ'] } } };
}

export const UUID: RuleDefinition = { type: 'svc', algorithm: 'uuid_v4' };

/** A rule that generates only NULLs. */
export const NULLS: RuleDefinition = { type: 'list', values: [''], nullable: 1 };

/** The facts about a column that its rules depend on. */
export interface ProposalFacts {
  readonly detection: Pick<Detection, 'kind' | 'country'>;
  readonly group: TypeGroup;
  /** The name of the base type. */
  readonly type: string;
  readonly values: readonly string[];
  /** The longest permitted value, in characters. */
  readonly maxLength: number;
  /** True if the column's values must be unique. */
  readonly isUnique: boolean;
  /** The approximate number of rows. */
  readonly rows: number;
  readonly locale: string;
}
