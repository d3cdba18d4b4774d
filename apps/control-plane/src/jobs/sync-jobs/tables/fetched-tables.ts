import { type RequestedTable, toDefinition } from '@understudy/sync-job';
import type { EntityManager } from 'typeorm';

import type { FetchedText } from '../../../data/compute/jobs/accept-sync-job.js';
import type { JobDefinition } from '../sync-job.js';
import type { SyncJobEntity } from '../sync-job.entity.js';
import { INSERT_RULES, READ_RULES, READ_SUBSETS, READ_TEXTS } from './fetched-tables.sql.js';

type Manager = Pick<EntityManager, 'query'>;
type JobTable = JobDefinition['tables'][number];

/** Stores the tables of a job whose definition does not contain them. */
export async function insertTables(manager: Manager, jobId: string, text: FetchedText): Promise<void> {
  // The driver sends buffers without converting them.
  const values = [text.tables, text.whereColumns].map(({ buffer, byteOffset, length }) =>
    Buffer.from(buffer, byteOffset, length),
  );
  await manager.query(INSERT_RULES, [jobId, ...values]);
}

/** Returns the whole definition of a job. */
export async function readDefinition(
  manager: Manager,
  { id, definition }: Pick<SyncJobEntity, 'id' | 'definition'>,
): Promise<JobDefinition> {
  if (definition.tables) return { ...definition, tables: definition.tables };
  return { ...definition, tables: [...(await readTables(manager, id, null)).values()] };
}

/**
 * Returns the definition of a job for one event. Of tables that are stored apart, it contains only the names, and the
 * columns of those tables of which the event names a column.
 * @param names the names of all tables of the job
 */
export async function definitionForEvent(
  manager: Manager,
  { id, definition }: Pick<SyncJobEntity, 'id' | 'definition'>,
  names: readonly string[],
  event: unknown,
): Promise<JobDefinition> {
  if (definition.tables) return { ...definition, tables: definition.tables };
  const positions = tablesOfColumns(event).filter((position) => position < names.length);
  const known = positions.length === 0 ? undefined : await readTables(manager, id, positions);
  const tables = names.map((name, position) => known?.get(position) ?? { name, columns: [] });
  return { ...definition, tables };
}

/** Returns the tables of a job that have a subset. Those of a large job have no columns. */
export async function readSubsets(
  manager: Manager,
  { id, definition }: Pick<SyncJobEntity, 'id' | 'definition'>,
): Promise<readonly Pick<JobTable, 'name' | 'subset'>[]> {
  return definition.tables ?? (await manager.query<JobTable[]>(READ_SUBSETS, [id]));
}

/** The number of tables that are read at a time. */
const PAGE = 100;

/** Returns the text that an agent fetches, in parts. Each part is read when the previous one was sent. */
export async function* tablesText(manager: Manager, jobId: string): AsyncGenerator<string> {
  for (let position = 0; ; position += PAGE) {
    const [page] = await manager.query<{ text: string | null }[]>(READ_TEXTS, [jobId, position, PAGE]);
    const text = page?.text ?? undefined;
    if (text === undefined) break;
    yield `${position === 0 ? '[' : ','}${text}`;
  }
  yield ']';
}

async function readTables(
  manager: Manager,
  jobId: string,
  positions: readonly number[] | null,
): Promise<Map<number, JobTable>> {
  const rows = await manager.query<RulesRow[]>(READ_RULES, [jobId, positions]);
  const { tables } = toDefinition({ tables: rows.map(({ rules }) => rules) });
  return new Map(
    rows.map(({ position, whereColumns }, index) => {
      const { subset, ...table } = tables[index] as JobTable;
      const found = subset && { ...subset, ...(whereColumns && { whereColumns }) };
      return [position, { ...table, ...(found && { subset: found }) }];
    }),
  );
}

interface RulesRow {
  readonly position: number;
  readonly rules: RequestedTable;
  readonly whereColumns: readonly string[] | null;
}

/** Returns the positions of the tables of which a value names a column. */
function tablesOfColumns(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  const { tableIndex, columnIndex } = value as {
    readonly tableIndex?: number;
    readonly columnIndex?: number;
  };
  const own = tableIndex === undefined || columnIndex === undefined ? [] : [tableIndex];
  return [...own, ...Object.values(value).flatMap(tablesOfColumns)];
}
