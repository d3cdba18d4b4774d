import type { RuledTable } from '../generation/check-column-rules.js';
import { ApiError, validationError, type FieldProblem } from '../http/api-error.js';
import { checkTables } from './check-tables.js';
import { readConnectionString, type ConnectionString } from './connection-string.js';
import type { CreateSyncJobDto } from './create-sync-job.dto.js';
import type { JobDefinition } from './sync-job.js';

export interface AcceptedRequest {
  readonly source: ConnectionString;
  readonly target: ConnectionString;
  readonly definition: JobDefinition;
}

/** What one NATS message holds (1 MiB), less room for ids, sealed secrets and framing. */
const MAX_DEFINITION_BYTES = 960 * 1024;

/**
 * Everything that can be known about a job before an agent sees it.
 * @param checkRules what is wrong with the rules of tables
 * @throws ApiError with all problems together
 */
export async function acceptSyncJob(
  dto: CreateSyncJobDto,
  checkRules: (tables: readonly RuledTable[]) => Promise<readonly FieldProblem[]>,
): Promise<AcceptedRequest> {
  const problems: FieldProblem[] = [];
  const source = readConnectionString(dto.source.connection_string);
  const target = readConnectionString(dto.target.connection_string);
  if ('problem' in source) problems.push({ field: 'source.connection_string', message: source.problem });
  if ('problem' in target) problems.push({ field: 'target.connection_string', message: target.problem });
  problems.push(...checkTables(dto.tables));
  const ruled = dto.tables.flatMap(({ columns }, index) =>
    columns ? [{ path: `tables[${index}].columns`, columns }] : [],
  );
  if (ruled.length > 0) problems.push(...(await checkRules(ruled)));
  if (problems.length > 0 || 'problem' in source || 'problem' in target) throw validationError(problems);
  const definition = toDefinition(dto);
  // Escapes and exponents grow when JSON is written anew, so the body's own limit does not imply this one.
  if (Buffer.byteLength(JSON.stringify(definition)) > MAX_DEFINITION_BYTES) {
    throw new ApiError(
      'limit_exceeded',
      'The tables and rules are too large for one command to an agent. Split the job.',
    );
  }
  return { source, target, definition };
}

function toDefinition({ tables, unlisted_columns }: CreateSyncJobDto): JobDefinition {
  return {
    unlistedColumns: unlisted_columns ?? 'preserve',
    tables: tables.map(({ name, columns = {}, unlisted_columns: own }) => ({
      name,
      columns: Object.entries(columns).map(([column, rule]) => ({ name: column, rule })),
      ...(own ? { unlistedColumns: own } : {}),
    })),
  };
}
