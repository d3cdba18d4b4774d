import {
  type ColumnOperand,
  isLiteralOf,
  type LiteralOperand,
  type LiteralType,
  type Operand,
  type RowCondition,
} from '@understudy/row-condition';
import { quoteIdentifier, quoteLiteral } from '@understudy/postgres';
import type { ConditionColumn } from './condition-columns.js';

/**
 * The error for a condition that does not match its table. The message contains no literal of the condition.
 */
export class ConditionMismatch extends Error {
  constructor(
    readonly kind: 'unknown_column' | 'type_mismatch',
    readonly column: string,
    message: string,
  ) {
    super(message);
    this.name = 'ConditionMismatch';
  }
}

/**
 * Writes a condition as SQL for a table with the given columns. Names are quoted, operators are those of
 * `pg_catalog`, and literals are cast to a type that fits the column. The result does not depend on the
 * server's settings and calls no user-defined operator, cast or function. Pure.
 * @throws ConditionMismatch
 */
export function conditionSql(condition: RowCondition, columns: readonly ConditionColumn[]): string {
  return new ConditionWriter(new Map(columns.map((column) => [column.name, column]))).write(condition);
}

class ConditionWriter {
  constructor(private readonly columns: ReadonlyMap<string, ConditionColumn>) {}

  write(condition: RowCondition): string {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `(${condition.terms.map((term) => this.write(term)).join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `(NOT ${this.write(condition.term)})`;
      case 'compare':
        return this.compare(condition.left, condition.operator, condition.right);
      case 'in':
        return negated(condition.isNegated, this.isIn(condition.column, condition.values));
      case 'between': {
        const { operand, low, high, isNegated } = condition;
        return negated(
          isNegated,
          `(${this.compare(operand, '>=', low)} AND ${this.compare(operand, '<=', high)})`,
        );
      }
      case 'like': {
        const { column, pattern, ignoresCase, isNegated } = condition;
        const { family } = this.column(column);
        if (family !== 'text') throw mismatch(column.name, 'LIKE needs a text column');
        const operator = ignoresCase ? '~~*' : '~~';
        const text = `${quoteIdentifier(column.name)} OPERATOR(pg_catalog.${operator}) ${constant(pattern, 'text')}`;
        return negated(isNegated, `(${text})`);
      }
      case 'is-null': {
        this.find(condition.column);
        return `(${quoteIdentifier(condition.column.name)} IS ${condition.isNegated ? 'NOT ' : ''}NULL)`;
      }
    }
  }

  private isIn(operand: ColumnOperand, values: readonly LiteralOperand[]): string {
    const column = this.column(operand);
    const byType = new Map<string, string[]>();
    for (const value of values) {
      const { text, type } = literalFor(column, value, values.length > 1);
      byType.set(type, [...(byType.get(type) ?? []), constant(text, type)]);
    }
    const name = quoteIdentifier(operand.name);
    const lists = [...byType.values()].map(
      (list) => `${name} OPERATOR(pg_catalog.=) ANY (ARRAY[${list.join(', ')}])`,
    );
    return `(${lists.join(' OR ')})`;
  }

  private compare(left: Operand, operator: string, right: Operand): string {
    return `(${this.operand(left, right)} OPERATOR(pg_catalog.${operator}) ${this.operand(right, left)})`;
  }

  /**
   * Writes one side of a comparison. @param other the other side; if it is a column, it determines the type
   * of a literal
   */
  private operand(operand: Operand, other: Operand): string {
    if (operand.kind === 'literal') {
      if (other.kind === 'literal') throw new Error('expected a column on one side of the comparison');
      const { text, type } = literalFor(this.column(other), operand);
      return constant(text, type);
    }
    const column = this.column(operand);
    if (other.kind === 'column') {
      const compared = this.column(other);
      const sameEnum = column.family !== 'enum' || column.type === compared.type;
      if (column.family !== compared.family || !sameEnum) {
        throw mismatch(operand.name, 'columns of these types cannot be compared');
      }
    }
    return quoteIdentifier(operand.name);
  }

  /**
   * Returns a column. @throws ConditionMismatch if it does not exist, or if conditions cannot compare its
   * type
   */
  private column(operand: ColumnOperand): ConditionColumn & { readonly family: string } {
    const column = this.find(operand);
    const { family } = column;
    if (family === undefined) throw mismatch(operand.name, 'columns of this type cannot be compared');
    return { ...column, family };
  }

  private find({ name }: ColumnOperand): ConditionColumn {
    const column = this.columns.get(name);
    if (column === undefined) {
      throw new ConditionMismatch('unknown_column', name, 'the table has no such column');
    }
    return column;
  }
}

/**
 * Converts a literal for a comparison with a column. @returns its text, and the type to which it must be cast
 */
function literalFor(
  column: ConditionColumn,
  { form, text, castTo }: LiteralOperand,
  isListed = false,
): { readonly text: string; readonly type: string } {
  const fail = (): never => {
    throw mismatch(column.name, `expected a literal of type ${column.type}`);
  };
  if (castTo !== undefined) return FAMILY_OF[castTo] === column.family ? { text, type: castTo } : fail();
  switch (column.family) {
    case 'number': {
      if (form === 'boolean') return fail();
      const type = numberType(column.type, text, form === 'number', isListed);
      return isLiteralOf(type, text) ? { text, type } : fail();
    }
    case 'text':
      return form === 'text' ? { text, type: column.type === 'bpchar' ? 'bpchar' : 'text' } : fail();
    case 'enum':
      return form === 'text' && column.labels.includes(text) ? { text, type: column.type } : fail();
    case 'bool':
      return form !== 'number' && isLiteralOf('bool', text) ? { text, type: 'bool' } : fail();
    default:
      return form === 'text' && isLiteralOf(column.type as LiteralType, text)
        ? { text, type: column.type }
        : fail();
  }
}

/**
 * Returns the type to which a number is cast. The comparison then has the same result as in PostgreSQL
 * without a cast. For a `float4` column, an unquoted number is `float8`, except in a list. For an integer
 * column, an unquoted number that is not an int8 literal is `numeric`.
 */
function numberType(columnType: string, text: string, isBare: boolean, isListed: boolean): LiteralType {
  if (columnType === 'float4') return isBare && !isListed ? 'float8' : 'float4';
  if (columnType === 'float8' || columnType === 'numeric') return columnType;
  return isBare && !isLiteralOf('int8', text) ? 'numeric' : 'int8';
}

const FAMILY_OF: Readonly<Record<LiteralType, ConditionColumn['family']>> = {
  bool: 'bool',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float4: 'number',
  float8: 'number',
  text: 'text',
  varchar: 'text',
  date: 'instant',
  time: 'time',
  timetz: 'timetz',
  timestamp: 'instant',
  timestamptz: 'instant',
  uuid: 'uuid',
};

/** @param type the name of a type in pg_catalog, or a quoted name with its schema */
function constant(text: string, type: string): string {
  return `${quoteLiteral(text)}::${type.startsWith('"') ? type : `pg_catalog.${type}`}`;
}

function negated(isNegated: boolean, sql: string): string {
  return isNegated ? `(NOT ${sql})` : sql;
}

function mismatch(column: string, message: string): ConditionMismatch {
  return new ConditionMismatch('type_mismatch', column, message);
}
