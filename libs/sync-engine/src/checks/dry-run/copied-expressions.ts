import { readBuiltinExpression } from '@understudy/row-condition';
import { type ComparedColumn, readComparedColumns, ARE_IMMUTABLE } from '@understudy/postgres';
import { guard } from '../../session/guard.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { Sides } from './possible-violation.js';

/** An expression of the target's catalogs that means the same on the source. */
export interface CarriedExpression {
  /** To stand in parentheses. */
  readonly sql: string;
  readonly columns: readonly string[];
}

/**
 * Judges what expressions over a table's columns mean on the source: one is evaluated there only if it is made of literals, operators and
 * immutable functions of `pg_catalog`, and of columns that are copied as they are into columns of the same type. Nothing else of a target's text
 * is run on a source.
 */
export class CarriedExpressions {
  private constructor(
    private readonly alike: ReadonlySet<string>,
    private readonly sides: Sides,
  ) {}

  static async of(plan: TablePlan, sides: Sides): Promise<CarriedExpressions> {
    const { source, target, contexts } = sides;
    const read = (side: 'source' | 'target', oid: string) =>
      guard(contexts.on(side, plan.index), () =>
        readComparedColumns(side === 'source' ? source : target, oid),
      );
    const onSource = new Map((await read('source', plan.source.oid)).map((column) => [column.name, column]));
    const onTarget = await read('target', plan.target?.oid ?? '0');
    const kept = keptColumns(plan);
    const alike = onTarget.filter(({ name }) => kept.has(name)).filter((column) => isAlike(column, onSource));
    return new CarriedExpressions(new Set(alike.map(({ name }) => name)), sides);
  }

  /** @returns undefined when it might mean something else there */
  async carry(text: string): Promise<CarriedExpression | undefined> {
    const read = await readBuiltinExpression(text);
    if (read === undefined || !read.columns.every((column) => this.alike.has(column))) return undefined;
    const { source, contexts } = this.sides;
    const { rows } = await guard(contexts.on('source'), () =>
      source.query<{ immutable: boolean }>(ARE_IMMUTABLE, [
        read.functions.map(({ name }) => name),
        read.functions.map(({ args }) => args),
      ]),
    );
    // A comment at its end is ended with the line.
    return rows[0]?.immutable === true ? { sql: `${text}\n`, columns: read.columns } : undefined;
  }
}

/** What is not known before the rows are made is not asked about. */
export function keptColumns({ columns }: TablePlan): ReadonlySet<string> {
  const kept = columns.filter(({ fill }) => fill.kind === 'preserve');
  return new Set(kept.map(({ description }) => description.name));
}

function isAlike(column: ComparedColumn, onSource: ReadonlyMap<string, ComparedColumn>): boolean {
  const other = onSource.get(column.name);
  return other?.type === column.type && other.collation === column.collation;
}
