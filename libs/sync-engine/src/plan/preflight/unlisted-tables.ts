import {
  NAMES_WITHOUT_TABLE,
  parseTableName,
  quoteTable,
  schemasAndNames,
  sqlNames,
  UNLISTED_TABLES,
} from '@understudy/postgres';
import type { SyncJobCommand, SyncProblem, SyncWarning, TableName } from '@understudy/sync-job';
import { excludedTables, type ExcludedObject } from '../exclude/excluded-objects.js';
import type { SyncEnvironment } from '../../environment.js';
import { logNames } from '../../local-names.js';
import type { LocatedClient } from '../../session/located-client.js';

interface UnlistedRequest {
  readonly command: SyncJobCommand;
  readonly source: LocatedClient;
  /** The objects that the job leaves out; absent in a job on tables. */
  readonly excluded?: readonly ExcludedObject[];
}

/**
 * Returns a problem for each unlisted table if the job rejects them, and for each ignored name that no table of
 * the source has.
 */
export async function unlistedProblems(request: UnlistedRequest): Promise<readonly SyncProblem[]> {
  const { unlistedTables = 'ignore', ignoredTables = [] } = request.command;
  if (unlistedTables === 'ignore') return [];
  const tables = unlistedTables === 'reject' ? await findUnlisted(request) : [];
  return [
    ...tables.map(({ schema, table }): SyncProblem => {
      const names = sqlNames({ schema, name: table });
      const isComplete = names.schema !== undefined && names.name !== undefined;
      return { code: 'tables_unlisted', table: isComplete ? names : {} };
    }),
    ...(await missingNames(request, ignoredTables)),
  ];
}

/** Warns about unlisted tables if the job asks for it. */
export async function unlistedWarnings(
  request: UnlistedRequest,
  environment: Pick<SyncEnvironment, 'log' | 'onNames'>,
): Promise<readonly SyncWarning[]> {
  if (request.command.unlistedTables !== 'warn') return [];
  const tables = await findUnlisted(request);
  if (tables.length === 0) return [];
  logNames(environment, { about: 'unlisted_tables', tables: tables.map(quoteTable) });
  return [{ code: 'tables_unlisted', count: tables.length }];
}

async function findUnlisted({
  command,
  source,
  excluded = [],
}: UnlistedRequest): Promise<readonly TableName[]> {
  const listed = command.tables.map(({ name }) => name);
  const names = namesOf([...listed, ...(command.ignoredTables ?? []), ...excludedTables(excluded)]);
  const { rows } = await source.query<TableName>(UNLISTED_TABLES, [...names, command.replace === 'database']);
  return rows;
}

async function missingNames(
  { command, source }: UnlistedRequest,
  ignored: readonly string[],
): Promise<readonly SyncProblem[]> {
  if (ignored.length === 0) return [];
  const { rows } = await source.query<{ position: number }>(NAMES_WITHOUT_TABLE, namesOf(ignored));
  return rows.map(({ position }) =>
    // The request of such a job names them in `tables`, behind those that are copied.
    command.replace === 'database'
      ? { code: 'table_not_found', side: 'source', tableIndex: command.tables.length + position }
      : { code: 'ignored_table_not_found', ignoredTableIndex: position },
  );
}

/** Returns the schemas and the names as parameters. A text that is no name matches no table. */
function namesOf(written: readonly string[]): [string[], string[]] {
  return schemasAndNames(written.map((name) => parseTableName(name) ?? { schema: '', table: '' }));
}
