import { type ComparedColumn, sqlNames, type TypeUse } from '@understudy/postgres';
import { type ColumnDifference, type ColumnType, defined, type SyncProblem } from '@understudy/sync-job';
import type { ColumnFill, ColumnPlan } from '../table-plan.js';
import { changedType, hasLabels, hasSameCollation, isAsWide, type TypeDefinitions } from './compare-types.js';

interface TableColumns {
  readonly tableIndex: number;
  /** The index of each column in the command, by column name. */
  readonly columnIndex: ReadonlyMap<string, number>;
  readonly types: TypeDefinitions;
}

export interface ColumnComparison extends TableColumns {
  readonly source: readonly ComparedColumn[];
  readonly target: readonly ComparedColumn[];
  /**
   * The origin of each column's values, by column name. A column that is not in this map is compared as if the
   * job preserved it.
   */
  readonly fills: ReadonlyMap<string, ColumnFill>;
}

/**
 * Lists the differences that prevent an existing target table from receiving the rows. These are missing or
 * extra columns, columns generated on one side only or by other expressions, and types, collations or enum
 * labels that could change or refuse values. The list also has NOT NULL columns that the job sets to NULL.
 * The target's type may be wider: for example a longer or unlimited varchar, text for varchar, or a larger
 * integer. User-defined types with the same name must also have the same definition, or a wider one. The order
 * of the columns, their defaults and their identity properties may differ. Pure.
 */
export function compareColumns(comparison: ColumnComparison): readonly SyncProblem[] {
  const { source, target, fills } = comparison;
  const onTarget = new Map(target.map((column) => [column.name, column]));
  const onSource = new Set(source.map(({ name }) => name));
  const problems = source.flatMap((column) => {
    const other = onTarget.get(column.name);
    if (other === undefined) return [mismatch(comparison, column.name, 'missing')];
    const fill = fills.get(column.name);
    const found = differenceOf(column, other, fill);
    if (found !== undefined) return [mismatch(comparison, column.name, found, column, other)];
    const isCopied = !column.generated && keepsValues(fill);
    const changed = isCopied ? changedType(column.base, comparison.types) : undefined;
    if (changed !== undefined) return [mismatch(comparison, column.name, 'type', changed, changed)];
    return other.notNull && fill?.kind === 'null' ? [nullRefused(comparison, column.name)] : [];
  });
  const extra = target.filter(({ name }) => !onSource.has(name));
  return [...problems, ...extra.map(({ name }) => mismatch(comparison, name, 'extra'))];
}

/**
 * Lists the columns of a missing table whose types exist on the target with a different definition. The job
 * creates the table with the target's types. Pure.
 */
export function typesInTheWay(columns: readonly ColumnPlan[], table: TableColumns): readonly SyncProblem[] {
  return columns.flatMap(({ description: { name, type }, fill }) => {
    const changed = keepsValues(fill)
      ? changedType(table.types.sourceByOid.get(type)?.base, table.types)
      : undefined;
    return changed === undefined ? [] : [mismatch(table, name, 'type', changed, changed)];
  });
}

/** Lists the preserved columns that may contain NULL on the source and are NOT NULL on the target. Pure. */
export function columnsThatMayNotBeNull({ source, target, fills }: ColumnComparison): readonly string[] {
  const needed = new Set(target.filter(({ notNull }) => notNull).map(({ name }) => name));
  return source
    .filter(({ name, neverNull }) => !neverNull && needed.has(name) && fills.get(name)?.kind === 'preserve')
    .map(({ name }) => name);
}

export function nullRefused(comparison: TableColumns, name: string): SyncProblem {
  const { tableIndex, columnIndex } = comparison;
  const location = { tableIndex, ...columnLocation(columnIndex, name) };
  return { code: 'constraint_violation', side: 'target', ...location, constraintKind: 'not_null' };
}

function differenceOf(
  source: ComparedColumn,
  target: ComparedColumn,
  fill: ColumnFill | undefined,
): ColumnDifference | undefined {
  if (target.generated || (source.generated && fill?.kind !== 'produce'))
    return isGeneratedAlike(source, target) ? undefined : 'generated';
  if (fill?.kind === 'null') return undefined;
  // The values of a rule are cut to the target's length. `checkValues` compares them with the column's type
  // later.
  if (!keepsValues(fill)) return source.category === target.category ? undefined : 'type';
  if (!isAsWide(source, target)) return 'type';
  if (!hasSameCollation(source, target)) return 'collation';
  return hasLabels(source.labels ?? [], target.labels ?? []) ? undefined : 'enum_values';
}

/** Servers of different major versions can write the same expression differently, so theirs are not compared. */
function isGeneratedAlike(source: ComparedColumn, target: ComparedColumn): boolean {
  const isComparable = source.serverVersion === target.serverVersion;
  return source.generated === target.generated && (!isComparable || source.expression === target.expression);
}

/** Whether the column receives values of the source, or parts of them. */
function keepsValues(fill: ColumnFill | undefined): boolean {
  return (
    fill === undefined || fill.kind === 'preserve' || (fill.kind === 'produce' && fill.rule.kind === 'json')
  );
}

function mismatch(
  comparison: TableColumns,
  name: string,
  difference: ColumnDifference,
  source?: NamedType,
  target?: NamedType,
): SyncProblem {
  return {
    code: 'column_mismatch',
    side: 'target',
    tableIndex: comparison.tableIndex,
    ...columnLocation(comparison.columnIndex, name),
    difference,
    ...(difference === 'type' && defined({ sourceType: typeOf(source), targetType: typeOf(target) })),
  };
}

/** Locates a column by its position in the command. Locates a column that the command does not list by its name. */
export function columnLocation(
  columnIndex: TableColumns['columnIndex'],
  name: string,
): Pick<SyncProblem, 'columnIndex' | 'column'> {
  const index = columnIndex.get(name);
  return index === undefined ? sqlNames({ column: name }) : { columnIndex: index };
}

type NamedType = Pick<TypeUse, 'typeName'> & Partial<Pick<TypeUse, 'length'>>;

function typeOf(type: NamedType | undefined): ColumnType | undefined {
  return type && defined({ name: type.typeName, length: type.length });
}
