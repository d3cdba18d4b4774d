import {
  needsOriginal,
  needsRowOrder,
  uniqueScopes,
  type CellMask,
  type HeadField,
} from '@understudy/masking';
import type { ColumnPlan, TablePlan } from '../plan/table-plan.js';

/** How a table's rows travel: which fields are read, which are written, and what happens to the first of them. */
export interface CopyLayout {
  /** Columns as they come from the source. */
  readonly read: readonly string[];
  /** Of these nothing but whether they are NULL: their values stay where they are. */
  readonly unseen: ReadonlySet<string>;
  /** Columns as they go to the target. */
  readonly written: readonly string[];
  /** Among what is read is more than COPY of a table gives: a row's place, or generated columns. */
  readonly readsMore: boolean;
  /** The row key, where rules need the rows in an order that is always the same. */
  readonly orderBy: readonly string[];
  /** Empty: rows pass unparsed. */
  readonly head: readonly HeadField[];
  /** The first so many fields of the head are the row key. */
  readonly keyFields: number;
}

/**
 * Pure. The order of columns in a COPY is ours to choose: what has to be looked at stands first (row key, then the ruled
 * columns), so that the rest of each row passes through unread. The row key is the primary key, else the row's place in
 * the snapshot.
 */
export function copyLayout(plan: TablePlan, masks: ReadonlyMap<string, CellMask>): CopyLayout {
  const { columns } = plan;
  const touched = columns.filter(({ fill }) => fill.kind !== 'preserve');
  if (touched.length === 0) return untouched(plan);
  const key = plan.source.columns
    .filter(({ keyPosition }) => keyPosition !== undefined)
    .sort((a, b) => (a.keyPosition ?? 0) - (b.keyPosition ?? 0))
    .map(({ name }) => name);
  const place = key.length === 0 ? ['tableoid', 'ctid'] : [];
  const planned = new Map(columns.map((column) => [column.description.name, column]));
  const keySet = new Set(key);
  const looked = new Set(
    [...masks.values()].flatMap(uniqueScopes).flatMap(({ others }) => others.map(nameOf)),
  );
  const ruled = columns.filter(
    (column) =>
      !keySet.has(column.description.name) &&
      (touched.includes(column) || looked.has(column.description.name)),
  );
  const rest = columns.filter((column) => !keySet.has(column.description.name) && !ruled.includes(column));
  const headNames = [...place, ...key, ...ruled.map(({ description }) => description.name)];
  const head = headNames.map((name, i) =>
    i < place.length ? ({ kind: 'drop' } as const) : headField(planned.get(name), masks),
  );
  const isUnseen = (column: ColumnPlan) => {
    const field = headField(column, masks);
    const isReplaced = field.kind === 'null' || (field.kind === 'mask' && !needsOriginal(field.mask));
    return isReplaced && !looked.has(column.description.name);
  };
  const restNames = rest.map(({ description }) => description.name);
  const written = headNames.filter((_, i) => head[i]?.kind !== 'drop');
  return {
    read: [...headNames, ...restNames],
    unseen: new Set(ruled.filter(isUnseen).map(({ description }) => description.name)),
    written: [...written, ...restNames],
    readsMore: place.length > 0 || key.some((name) => !planned.has(name)),
    orderBy: needsRowOrder(masks.values()) ? headNames.slice(0, place.length + key.length) : [],
    head,
    keyFields: place.length + key.length,
  };
}

/** A key column that is not written is a generated one. */
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

function untouched(plan: TablePlan): CopyLayout {
  const names = plan.columns.map(({ description }) => description.name);
  return { read: names, unseen: NONE, written: names, readsMore: false, orderBy: [], head: [], keyFields: 0 };
}
