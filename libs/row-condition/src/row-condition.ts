/** A condition over the columns of one table. It can express everything that a `where` permits. */
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
  /** The name in the catalog. Names without quotes have been folded to lower case. */
  readonly name: string;
}

export interface LiteralOperand {
  readonly kind: 'literal';
  /** The syntax of the literal. A text without a cast has the type of the column that it is compared with. */
  readonly form: 'text' | 'number' | 'boolean';
  /** The value without quotes; `true` or `false` for a boolean. */
  readonly text: string;
  readonly castTo?: LiteralType;
}

/** The types of PostgreSQL that a literal may be cast to, with their names in `pg_type`. */
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

/** A problem of a condition. The message never quotes the condition. */
export interface ConditionProblem {
  /** The position in characters, from 1; undefined if the problem concerns the whole text. */
  readonly position?: number;
  readonly message: string;
}

/** The location of an error. Either the scanner or the parser has reported it, as an offset in bytes. */
export interface ConditionLocation {
  /** The offset in the text of the condition, from 0. */
  readonly byte?: number;
  /** The `location` of a node: the offset in the statement that contains the condition. */
  readonly node?: number | undefined;
}

/** Thrown if a condition is rejected. The message never quotes the condition. */
export class ConditionError extends Error {
  constructor(
    readonly location: ConditionLocation,
    message: string,
  ) {
    super(message);
    this.name = 'ConditionError';
  }
}
