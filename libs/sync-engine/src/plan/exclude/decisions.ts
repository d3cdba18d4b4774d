import { copiedTables, type SyncJobCommand } from '@understudy/sync-job';

/**
 * Returns the command that the engine runs. Nothing of a source whose database is copied may be copied without a
 * decision, so the job rejects tables and columns that it does not list. No policy can change this. A table without rows
 * is not copied, but the job knows it.
 */
export function withDecisions(command: SyncJobCommand): SyncJobCommand {
  if (command.replace !== 'database') return command;
  const reject = { unlistedColumns: 'reject', unlistedTables: 'reject' } as const;
  const tables = copiedTables(command.tables).map((table) => ({
    ...table,
    unlistedColumns: 'reject' as const,
  }));
  const ignoredTables = command.tables.slice(tables.length).map(({ name }) => name);
  return { ...command, ...reject, tables, ignoredTables };
}

/** Returns the names of the tables that the new database has without rows. @param command with its decisions */
export function emptyTablesOf({ replace, ignoredTables = [] }: SyncJobCommand): readonly string[] {
  return replace === 'database' ? ignoredTables : [];
}
