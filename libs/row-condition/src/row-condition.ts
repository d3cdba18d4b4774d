/** A condition over the columns of one table: what a `where` may say, and nothing else. */
export type RowCondition =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly RowCondition[] }
  | { readonly kind: 'not'; readonly term: RowCondition }
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: Operand;
      readonly right: Operand;
    }
  | {
      readonly kind: 'in';
      readonly isNegated: boolean;
      readonly column: ColumnOperand;
      readonly values: readonly LiteralOperand[];
    }
  | {
      readonly kind: 'between';
      readonly isNegated: boolean;
      readonly operand: Operand;
      readonly low: Operand;
      readonly high: Operand;
    }
  | {
      readonly kind: 'like';
      readonly isNegated: boolean;
      readonly ignoresCase: boolean;
      readonly column: ColumnOperand;
      readonly pattern: string;
    }
  | { readonly kind: 'is-null'; readonly isNegated: boolean; readonly column: ColumnOperand };

export const COMPARISON_OPERATORS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export type Operand = ColumnOperand | LiteralOperand;

export interface ColumnOperand {
  readonly kind: 'column';
  /** As the catalog spells it: plain names are folded to lower case. */
  readonly name: string;
}

export interface LiteralOperand {
  readonly kind: 'literal';
  /** How it is written. A text may stand for a date, a uuid, …: the column it meets decides, unless it is cast. */
  readonly form: 'text' | 'number' | 'boolean';
  /** What it says, without quotes; `true` or `false` for a boolean. */
  readonly text: string;
  readonly castTo?: LiteralType;
}

/** Types of PostgreSQL that a literal may be cast to, as `pg_type` names them. */
export const LITERAL_TYPES = [
  'bool',
  'int2',
  'int4',
  'int8',
  'numeric',
  'float4',
  'float8',
  'text',
  'varchar',
  'date',
  'time',
  'timetz',
  'timestamp',
  'timestamptz',
  'uuid',
] as const;
export type LiteralType = (typeof LITERAL_TYPES)[number];

/** What is wrong with a condition. Never quotes its text. */
export interface ConditionProblem {
  /** In characters, from 1; undefined when it is the whole text. */
  readonly position?: number;
  readonly message: string;
}

/** Where something is refused: the scanner counts the bytes of the text, the parser those of the statement around it. */
export interface ConditionPlace {
  /** Of the text, from 0. */
  readonly byte?: number;
  /** A node's `location`. */
  readonly node?: number | undefined;
}

/** A refusal of a condition. The message quotes nothing of it. */
export class ConditionError extends Error {
  constructor(
    readonly place: ConditionPlace,
    message: string,
  ) {
    super(message);
    this.name = 'ConditionError';
  }
}
