import {
  needsOriginal,
  needsRowOrder,
  uniqueScopes,
  type CellMask,
  type HeadField,
} from '@understudy/masking';
import type { ColumnPlan, TablePlan } from '../plan/table-plan.js';

/** The columns of a table that COPY reads and writes, in order, and how the leading columns are changed. */
export interface CopyLayout {
  /** The columns in the order in which they are read from the source. */
  readonly read: readonly string[];
  /** COPY reads only whether these columns are NULL, so that their values never leave the source. */
  readonly nullFlagOnly: ReadonlySet<string>;
  /** The columns in the order in which they are written to the target. */
  readonly written: readonly string[];
  /** True if `read` has a system column or a generated column, which COPY of a table name does not return. */
  readonly readsExtraColumns: boolean;
  /** The columns of the row key, if rules need the rows in the same order in every run; otherwise empty. */
  readonly orderBy: readonly string[];
  /** How each of the leading fields is changed. If this is empty, rows are copied unparsed. */
  readonly head: readonly HeadField[];
  /** The number of fields at the start of `head` that form the row key. */
  readonly keyFields: number;
}

/**
 * Chooses the order of columns in the COPY. Columns that must be parsed come first: the row key, then the
 * masked columns. The rest of each row is copied unparsed. The row key is the primary key. In a table without
 * one, it is the row's location in the snapshot (`tableoid`, `ctid`). Pure.
 */
export function copyLayout(plan: TablePlan, masks: ReadonlyMap<string, CellMask>): CopyLayout {
  const { columns } = plan;
  const changed = columns.filter(({ fill }) => fill.kind !== 'preserve');
  if (changed.length === 0) return unchangedLayout(plan);
  const key = plan.source.columns
    .filter(({ keyPosition }) => keyPosition !== undefined)
    .sort((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0))
    .map(({ name }) => name);
  const rowLocation = key.length === 0 ? ['tableoid', 'ctid'] : [];
  const planned = new Map(columns.map((column) => [column.description.name, column]));
  const keySet = new Set(key);
  const inUniqueKeys = new Set(
    [...masks.values()].flatMap(uniqueScopes).flatMap(({ others }) => others.map(nameOf)),
  );
  const ruled = columns.filter(
    (column) =>
      !keySet.has(column.description.name) &&
      (changed.includes(column) || inUniqueKeys.has(column.description.name)),
  );
  const rest = columns.filter((column) => !keySet.has(column.description.name) && !ruled.includes(column));
  const headNames = [...rowLocation, ...key, ...ruled.map(({ description }) => description.name)];
  const head = headNames.map((name, i) =>
    i < rowLocation.length ? ({ kind: 'drop' } as const) : headField(planned.get(name), masks),
  );
  const isNullFlagOnly = (column: ColumnPlan) => {
    const field = headField(column, masks);
    const isReplaced = field.kind === 'null' || (field.kind === 'mask' && !needsOriginal(field.mask));
    return isReplaced && !inUniqueKeys.has(column.description.name);
  };
  const restNames = rest.map(({ description }) => description.name);
  const written = headNames.filter((_, i) => head[i]?.kind !== 'drop');
  return {
    read: [...headNames, ...restNames],
    nullFlagOnly: new Set(ruled.filter(isNullFlagOnly).map(({ description }) => description.name)),
    written: [...written, ...restNames],
    readsExtraColumns:
      rowLocation.length > 0 ||
      key.some((name) => !planned.has(name)) ||
      columns.some(({ description }) => description.isGenerated),
    orderBy: needsRowOrder(masks.values()) ? headNames.slice(0, rowLocation.length + key.length) : [],
    head,
    keyFields: rowLocation.length + key.length,
  };
}

/**
 * Returns how a leading field is changed.
 * @param column undefined for a generated column of the primary key, which is not written
 */
function headField(column: ColumnPlan | undefined, masks: ReadonlyMap<string, CellMask>): HeadField {
  if (column === undefined) return { kind: 'drop' };
  if (column.fill.kind === 'null') return { kind: 'null' };
  const mask = masks.get(column.description.name);
  return column.fill.kind === 'produce' && mask !== undefined
    ? { kind: 'mask', mask }
    : { kind: 'keep', name: column.description.name };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

const NONE: ReadonlySet<string> = new Set();

function unchangedLayout(plan: TablePlan): CopyLayout {
  const names = plan.columns.map(({ description }) => description.name);
  return {
    read: names,
    nullFlagOnly: NONE,
    written: names,
    readsExtraColumns: false,
    orderBy: [],
    head: [],
    keyFields: 0,
  };
}
