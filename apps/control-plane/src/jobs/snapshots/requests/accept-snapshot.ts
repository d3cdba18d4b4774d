import { tableNameCheck } from '@understudy/sync-job';
import { validationError, type FieldProblem } from '../../../platform/http/errors/api-error.js';
import { DEFAULT_EXPIRES_IN_DAYS, type CreateSnapshotDto } from './create-snapshot.dto.js';
import { readDatabaseName, type NamedDatabase } from './database-name.js';

/** The maximum total size of a snapshot's table names. The command must fit into one message to an agent. */
const MAX_NAMES_BYTES = 512 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface AcceptedSnapshot {
  readonly database: NamedDatabase;
  readonly tables: readonly string[];
  readonly expiresAt: Date;
}

/**
 * Checks a request for a snapshot without asking an agent. Pure.
 * @throws ApiError `validation_error` with all problems
 */
export function acceptSnapshot(dto: CreateSnapshotDto, now: Date): AcceptedSnapshot {
  const { tables = [], expires_in_days = DEFAULT_EXPIRES_IN_DAYS } = dto;
  const database = readDatabaseName(dto.database);
  const problems: FieldProblem[] = checkTables(tables);
  if ('problem' in database)
    throw validationError([{ field: 'database', message: database.problem }, ...problems]);
  if (problems.length > 0) throw validationError(problems);
  return { database, tables, expiresAt: new Date(now.getTime() + expires_in_days * DAY_MS) };
}

function checkTables(tables: readonly string[]): FieldProblem[] {
  const bytes = tables.reduce((sum, name) => sum + Buffer.byteLength(name), 0);
  if (bytes > MAX_NAMES_BYTES) {
    const message = `expected names with a total of at most ${MAX_NAMES_BYTES} bytes, got ${bytes}`;
    return [{ field: 'tables', message }];
  }
  const check = tableNameCheck();
  return tables.flatMap((name, index) => {
    const path = `tables[${index}]`;
    return check(name, path, path);
  });
}
