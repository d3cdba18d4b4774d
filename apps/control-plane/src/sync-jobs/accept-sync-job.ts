import type { RuledTable } from '../generation/check-column-rules.js';
import type { CheckedRules } from '../generation/generation.service.js';
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

const MIB = 1024 * 1024;
/** The agent holds them in memory while the job runs. */
const MAX_MODEL_BYTES = 128 * MIB;

/**
 * Everything that can be known about a job before an agent sees it.
 * @param checkRules what the rules of tables need, and what is wrong with them
 * @throws ApiError with all problems together
 */
export async function acceptSyncJob(
  dto: CreateSyncJobDto,
  checkRules: (tables: readonly RuledTable[]) => Promise<CheckedRules>,
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
  const checked = ruled.length > 0 ? await checkRules(ruled) : { problems: [], models: [], compositions: [] };
  problems.push(...checked.problems);
  if (problems.length > 0 || 'problem' in source || 'problem' in target) throw validationError(problems);
  const definition = {
    ...toDefinition(dto),
    hostedModels: checked.models,
    compositions: checked.compositions,
  };
  const modelBytes = checked.models.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (modelBytes > MAX_MODEL_BYTES) {
    throw new ApiError(
      'limit_exceeded',
      `The custom models of one job hold at most ${MAX_MODEL_BYTES / MIB} MiB together. Split the job.`,
    );
  }
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
