import { type ComparedColumn, sqlName } from '@understudy/postgres';
import type { ColumnDifference, ColumnType, SyncProblem } from '@understudy/sync-job';
import type { ColumnFill } from '../table-plan.js';

export interface ColumnComparison {
  readonly tableIndex: number;
  readonly source: readonly ComparedColumn[];
  readonly target: readonly ComparedColumn[];
  /**
   * The origin of each column's values, by column name. A column that is not in this map is compared as if the
   * job preserved it.
   */
  readonly fills: ReadonlyMap<string, ColumnFill>;
  /** The index of each column in the command, by column name. */
  readonly columnIndex: ReadonlyMap<string, number>;
}

/**
 * Lists the differences that prevent an existing target table from receiving the rows. These are missing or
 * extra columns, columns generated on one side only, and types, collations or enum labels that could change
 * or refuse values. The list also has NOT NULL columns that the job sets to NULL. The target's type may be
 * wider: for example a longer or unlimited varchar, text for varchar, or a larger integer. The order of the
 * columns, their defaults and their identity properties may differ. Pure.
 */
export function compareColumns(comparison: ColumnComparison): readonly SyncProblem[] {
  const { source, target, fills } = comparison;
  const onTarget = new Map(target.map((column) => [column.name, column]));
  const onSource = new Set(source.map(({ name }) => name));
  const problems = source.flatMap((column) => {
    const other = onTarget.get(column.name);
    if (other === undefined) return [mismatch(comparison, column.name, 'missing')];
    const found = differenceOf(column, other, fills.get(column.name));
    if (found !== undefined) return [mismatch(comparison, column.name, found, column, other)];
    return other.notNull && fills.get(column.name)?.kind === 'null'
      ? [nullRefused(comparison, column.name)]
      : [];
  });
  const extra = target.filter(({ name }) => !onSource.has(name));
  return [...problems, ...extra.map(({ name }) => mismatch(comparison, name, 'extra'))];
}

/** Lists the preserved columns that may contain NULL on the source and are NOT NULL on the target. Pure. */
export function columnsThatMayNotBeNull({ source, target, fills }: ColumnComparison): readonly string[] {
  const needed = new Set(target.filter(({ notNull }) => notNull).map(({ name }) => name));
  return source
    .filter(({ name, neverNull }) => !neverNull && needed.has(name) && fills.get(name)?.kind === 'preserve')
    .map(({ name }) => name);
}

export function nullRefused(comparison: ColumnComparison, name: string): SyncProblem {
  const location = locationOf(comparison, name);
  return { code: 'constraint_violation', side: 'target', ...location, constraintKind: 'not_null' };
}

function differenceOf(
  source: ComparedColumn,
  target: ComparedColumn,
  fill: ColumnFill | undefined,
): ColumnDifference | undefined {
  if (target.generated || (source.generated && fill?.kind !== 'produce'))
    return source.generated === target.generated ? undefined : 'generated';
  if (fill?.kind === 'null') return undefined;
  // The values of a rule are cut to the target's length. `checkValues` compares them with the column's type
  // later.
  const isMade = fill?.kind === 'produce' && fill.rule.kind !== 'json';
  if (isMade) return source.category === target.category ? undefined : 'type';
  if (!isAsWide(source, target)) return 'type';
  if (
    source.collation !== undefined &&
    target.collation !== undefined &&
    source.collation !== target.collation
  )
    return 'collation';
  const labels = new Set(target.labels);
  return source.labels?.every((label) => labels.has(label)) === false ? 'enum_values' : undefined;
}

const INTEGERS = ['smallint', 'integer', 'bigint'];
const TEXTS = ['text', 'character varying', 'character'];

/** Returns whether the target's type can hold every value of the source's type unchanged. */
function isAsWide(source: ComparedColumn, target: ComparedColumn): boolean {
  if (source.type === target.type) return true;
  if (source.base === target.base) {
    if (!target.hasModifier) return true;
    return source.base === 'character varying' && (source.length ?? Infinity) <= (target.length ?? 0);
  }
  if (INTEGERS.includes(source.base)) {
    const isNumeric = target.base === 'numeric' && !target.hasModifier;
    return isNumeric || INTEGERS.indexOf(target.base) > INTEGERS.indexOf(source.base);
  }
  return (
    TEXTS.includes(source.base) && ['text', 'character varying'].includes(target.base) && !target.hasModifier
  );
}

function mismatch(
  comparison: ColumnComparison,
  name: string,
  difference: ColumnDifference,
  source?: ComparedColumn,
  target?: ComparedColumn,
): SyncProblem {
  return {
    code: 'column_mismatch',
    side: 'target',
    ...locationOf(comparison, name),
    difference,
    ...(difference === 'type' && source !== undefined ? { sourceType: typeOf(source) } : {}),
    ...(difference === 'type' && target !== undefined ? { targetType: typeOf(target) } : {}),
  };
}

function locationOf(
  { tableIndex, columnIndex }: ColumnComparison,
  name: string,
): Partial<SyncProblem> & { tableIndex: number } {
  const index = columnIndex.get(name);
  if (index !== undefined) return { tableIndex, columnIndex: index };
  const column = sqlName(name);
  return column === undefined ? { tableIndex } : { tableIndex, column };
}

function typeOf({ typeName, length }: ComparedColumn): ColumnType {
  return {
    ...(typeName === undefined ? {} : { name: typeName }),
    ...(length === undefined ? {} : { length }),
  };
}
