import { writeExactJson } from '@understudy/expression';

import type { WorkWarning } from '../../../agents/agent-work/choice/waiting-warnings.js';
import type { TaskOutput } from '../../../data/compute/tasks.js';
import { ApiError, validationError, type FieldProblem } from '../../../platform/http/errors/api-error.js';
import {
  checkIgnoredTables,
  checkTables,
  toDefinition,
  withWhereColumns,
  type WrittenRules,
  writtenRules,
} from '@understudy/sync-job';
import {
  readConnectionString,
  type ConnectionString,
} from '../../../agents/agent-work/connections/connection-string.js';
import type { CreateSyncJobDto } from './create-sync-job.dto.js';
import type { JobDefinition } from '../sync-job.js';

export interface AcceptedRequest {
  readonly source: ConnectionString;
  readonly target: ConnectionString;
  readonly definition: JobDefinition;
  readonly warnings: readonly WorkWarning[];
}

/** The size of one NATS message (1 MiB), less space for ids, sealed secrets and framing. */
const MAX_DEFINITION_BYTES = 960 * 1024;

const MIB = 1024 * 1024;
/** The maximum total size of a job's custom models. The agent keeps their files in memory during the job. */
const MAX_MODEL_BYTES = 128 * MIB;

/**
 * Checks a request for a job without asking an agent.
 * @param checkRules returns the problems of rules and conditions, and the models, compositions and columns
 * that the rules and conditions use
 * @throws ApiError with all problems
 */
export async function acceptSyncJob(
  dto: CreateSyncJobDto,
  checkRules: (rules: WrittenRules) => Promise<TaskOutput<'check-rules'>>,
): Promise<AcceptedRequest> {
  const problems: FieldProblem[] = [];
  const source = readConnectionString(dto.source.connection_string);
  const target = readConnectionString(dto.target.connection_string);
  if ('problem' in source) problems.push({ field: 'source.connection_string', message: source.problem });
  if ('problem' in target) problems.push({ field: 'target.connection_string', message: target.problem });
  problems.push(...checkTables(dto.tables), ...checkIgnoredTables(dto));
  const rules = writtenRules(dto);
  const checked =
    rules.tables.length + rules.conditions.length > 0
      ? await checkRules(rules)
      : { problems: [], warnings: [], models: [], compositions: [], conditionColumns: [] };
  problems.push(...checked.problems);
  if (problems.length > 0 || 'problem' in source || 'problem' in target) throw validationError(problems);
  const requested = toDefinition(dto);
  const definition = {
    ...requested,
    tables: withWhereColumns(requested.tables, checked.conditionColumns),
    hostedModels: checked.models,
    compositions: checked.compositions,
  };
  const modelBytes = checked.models.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (modelBytes > MAX_MODEL_BYTES) {
    throw new ApiError(
      'limit_exceeded',
      `The custom models of one job can have at most ${MAX_MODEL_BYTES / MIB} MiB in total. Split the job.`,
    );
  }
  // Escapes and exponents can grow when JSON is written again, so the limit on the body is not sufficient.
  if (Buffer.byteLength(writeExactJson(definition)) > MAX_DEFINITION_BYTES) {
    throw new ApiError(
      'limit_exceeded',
      'The tables and rules are too large for one command to an agent. Split the job.',
    );
  }
  const warnings = checked.warnings.map((warning) => ({ code: 'constraint_not_applied', ...warning }));
  return { source, target, definition, warnings };
}
