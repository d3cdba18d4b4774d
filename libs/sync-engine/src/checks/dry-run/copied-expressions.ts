import { readBuiltinExpression } from '@understudy/row-condition';
import { type ComparedColumn, readComparedColumns, ARE_IMMUTABLE } from '@understudy/postgres';
import type { TablePlan } from '../../plan/table-plan.js';
import type { Sides } from './possible-violation.js';

/** An expression from the target's catalogs that has the same meaning on the source. */
export interface CopiedExpression {
  /** The SQL of the expression. Put it in parentheses. */
  readonly sql: string;
  readonly columns: readonly string[];
}

/**
 * Decides which expressions over a table's columns can be evaluated on the source. An expression may contain
 * only literals, operators and immutable functions of `pg_catalog`, and preserved columns that have the same
 * type on both sides. No other SQL text from a target ever runs on a source.
 */
export class CopiedExpressions {
  private constructor(
    private readonly identical: ReadonlySet<string>,
    private readonly sides: Sides,
  ) {}

  static async of(plan: TablePlan, sides: Sides): Promise<CopiedExpressions> {
    const read = (side: 'source' | 'target', oid: string) =>
      readComparedColumns(sides[side].at(plan.index), oid);
    const onSource = new Map((await read('source', plan.source.oid)).map((column) => [column.name, column]));
    const onTarget = await read('target', plan.target?.oid ?? '0');
    const kept = keptColumns(plan);
    const identical = onTarget
      .filter(({ name }) => kept.has(name))
      .filter((column) => isIdentical(column, onSource));
    return new CopiedExpressions(new Set(identical.map(({ name }) => name)), sides);
  }

  /** Converts an expression for use on the source. @returns undefined if its meaning could differ there */
  async copy(text: string): Promise<CopiedExpression | undefined> {
    const read = await readBuiltinExpression(text);
    if (read === undefined || !read.columns.every((column) => this.identical.has(column))) return undefined;
    const { rows } = await this.sides.source.query<{ immutable: boolean }>(ARE_IMMUTABLE, [
      read.functions.map(({ name }) => name),
      read.functions.map(({ args }) => args),
    ]);
    // The line break ends a comment at the end of the expression.
    return rows[0]?.immutable === true ? { sql: `${text}\n`, columns: read.columns } : undefined;
  }
}

/** Returns the preserved columns. Values of other columns are unknown before the rows are masked. */
export function keptColumns({ columns }: TablePlan): ReadonlySet<string> {
  const kept = columns.filter(({ fill }) => fill.kind === 'preserve');
  return new Set(kept.map(({ description }) => description.name));
}

function isIdentical(column: ComparedColumn, onSource: ReadonlyMap<string, ComparedColumn>): boolean {
  const other = onSource.get(column.name);
  return other?.type === column.type && other.collation === column.collation;
}
