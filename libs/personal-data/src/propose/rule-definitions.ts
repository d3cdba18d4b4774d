import type { Detection } from '../detect/detection.js';
import type { TypeGroup } from '../detect/type-group.js';

/** A rule or a generator definition, as it is written in a job. */
export type RuleDefinition = Readonly<Record<string, unknown>>;

/** A rule that makes texts of steps. */
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

/** So many digits, each a number of its own: for sums. */
export function digitList(count: number): RuleDefinition {
  return { repeat: { count, of: integer(0, 9) } };
}

/** So many capital letters, each by itself. */
export function letterList(count: number): RuleDefinition {
  return { repeat: { count, of: { type: 'list', values: [...'ABCDEFGHJKLMNPRSTUVWXYZ'] } } };
}

export const UUID: RuleDefinition = { type: 'svc', algorithm: 'uuid_v4' };

/** NULL everywhere. */
export const NULLS: RuleDefinition = { type: 'list', values: [''], nullable: 1 };

/** What a rule has to fit. */
export interface ProposalFacts {
  readonly detection: Pick<Detection, 'kind' | 'country'>;
  readonly group: TypeGroup;
  /** The base type's name. */
  readonly type: string;
  readonly values: readonly string[];
  /** In characters. */
  readonly maxLength: number;
  /** Whether no value may stand there twice. */
  readonly isUnique: boolean;
  /** About how many rows there are. */
  readonly rows: number;
  readonly locale: string;
}
