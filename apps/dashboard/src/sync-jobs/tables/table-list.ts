import type { SyncJobTable } from '@understudy/client';

export const TABLE_STATUSES = ['copying', 'indexing', 'verifying', 'pending', 'completed'] as const;
export type TableStatus = (typeof TABLE_STATUSES)[number];

export const TABLE_SORTS = ['position', 'name', '-rows_total', '-bytes_total', '-bytes_remaining'] as const;
export type TableSort = (typeof TABLE_SORTS)[number];

/** The tables that one list shows, and their order. */
export interface TableView {
  /** Absent for tables with any status. */
  readonly status?: TableStatus | undefined;
  readonly sort: TableSort;
}

/**
 * The tables of a job that were received so far. The server sorts and filters, and sends pages of a list first and then
 * each table that changed. A table that changed can be beyond the last page, so it is kept but not shown until the list
 * reaches it.
 */
export interface TableList {
  readonly view: TableView;
  readonly tables: ReadonlyMap<number, SyncJobTable>;
  /** The last table of the last page; undefined before the first page, and if the list is complete. */
  readonly end: SyncJobTable | undefined;
  readonly isComplete: boolean;
  /** The revision after which changes are asked for. */
  readonly revision: number;
  /** True if more tables had changed than the last response could list. */
  readonly isBehind: boolean;
  /** True from a request for the next page until the page is added. */
  readonly wantsPage: boolean;
}

export const PAGE_SIZE = 100;

export function emptyList(view: TableView): TableList {
  const revision = Number.MAX_SAFE_INTEGER;
  return {
    view,
    tables: new Map(),
    end: undefined,
    isComplete: false,
    revision,
    isBehind: false,
    wantsPage: false,
  };
}

interface Received {
  readonly tables: readonly SyncJobTable[];
  readonly revision: number;
}

/** Adds the page that `nextPage` names. */
export function addPage(list: TableList, { tables, revision }: Received): TableList {
  const isComplete = tables.length < PAGE_SIZE;
  return {
    ...list,
    tables: withTables(list.tables, tables),
    end: isComplete ? undefined : (tables.at(-1) ?? list.end),
    isComplete,
    wantsPage: false,
    // All changes since the oldest page are asked for.
    revision: Math.min(list.revision, revision),
  };
}

/** Adds the tables that changed after `list.revision`. Returns the same list if nothing has changed. */
export function addChanges(list: TableList, { tables, revision }: Received): TableList {
  const isBehind = tables.length >= PAGE_SIZE;
  if (tables.length === 0 && list.revision === revision && list.isBehind === isBehind) return list;
  return { ...list, tables: withTables(list.tables, tables), revision, isBehind };
}

/** Returns the tables to show, in order. */
export function shownTables({ view, tables, end, isComplete }: TableList): readonly SyncJobTable[] {
  const compare = comparing(view.sort);
  return [...tables.values()]
    .filter(({ status }) => view.status === undefined || status === view.status)
    .filter((table) => isComplete || (end !== undefined && compare(table, end) <= 0))
    .sort(compare);
}

/**
 * Returns the number of the page with the first table that is not shown. A filtered list becomes shorter while the job
 * runs, so that a page is not the one after the last page. Its first tables can be shown already.
 */
export function nextPage(shown: number): number {
  return Math.floor(shown / PAGE_SIZE) + 1;
}

function withTables(
  tables: ReadonlyMap<number, SyncJobTable>,
  added: readonly SyncJobTable[],
): ReadonlyMap<number, SyncJobTable> {
  const all = new Map(tables);
  for (const table of added) all.set(table.position, table);
  return all;
}

type Key = (table: SyncJobTable) => string | number | null;

const KEYS: Readonly<Record<string, Key>> = {
  position: ({ position }) => position,
  name: ({ name }) => name,
  rows_total: ({ rows_total: rows }) => rows,
  bytes_total: ({ bytes_total: bytes }) => bytes,
  bytes_remaining: ({ bytes_total: total, bytes_processed: done }) => (total === null ? null : total - done),
};

/** Returns the order of the server: tables without a value are the last ones, and equal ones keep their position. */
function comparing(sort: TableSort): (one: SyncJobTable, other: SyncJobTable) => number {
  const isReversed = sort.startsWith('-');
  const key = KEYS[isReversed ? sort.slice(1) : sort] ?? (({ position }) => position);
  return (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (a === b) return one.position - other.position;
    if (a === null) return 1;
    if (b === null) return -1;
    return a < b === isReversed ? 1 : -1;
  };
}
