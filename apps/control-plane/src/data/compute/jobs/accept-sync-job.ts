import { type AgentCapability, neededCapabilities } from '@understudy/agent-protocol';
import { checkColumnRules } from '@understudy/column-rule';
import { writeExactJson } from '@understudy/expression';
import { checkConditions } from '@understudy/row-condition';
import {
  type AgentSelection,
  checkIgnoredTables,
  checkReplacedDatabases,
  checkReplacement,
  checkTables,
  copiedTables,
  type FetchedTables,
  type JobDefinition,
  type JobTable,
  MAX_TABLES_BYTES,
  parseInstant,
  startOfUtcDay,
  toDefinition,
  withWhereColumns,
  writeTables,
  writtenRules,
} from '@understudy/sync-job';
import { createHash } from 'node:crypto';

import {
  readConnectionString,
  type ConnectionString,
} from '../../../agents/agent-work/connections/connection-string.js';
import { checkedDto } from '../../../platform/http/dto/checked-dto.js';
import { ApiError, type FieldProblem, validationError } from '../../../platform/http/errors/api-error.js';
import { parseJsonBody } from '../../../platform/http/pipeline/json-body.js';
import type { TaskLibrary, UsedComposition, UsedModel } from '../worker-library.js';
import { CreateSyncJobDto } from './create-sync-job.dto.js';

export interface SyncJobInput {
  /** The body of the request. */
  readonly body: Uint8Array;
  readonly now: Date;
}

/** A request for a sync job without mistakes. Plain data. */
export interface AcceptedSyncJob {
  readonly name: string;
  readonly seed: number | undefined;
  readonly agent: AgentSelection | undefined;
  readonly source: ConnectionString;
  readonly target: ConnectionString;
  /** The instant that relative dates refer to. */
  readonly referenceInstant: Date;
  /** Has either `tables` or `fetchedTables`. */
  readonly definition: AcceptedDefinition;
  /** The names of the tables whose rows are copied. */
  readonly tableNames: readonly string[];
  /** The tables of a definition with `fetchedTables`. */
  readonly fetched?: FetchedText;
  readonly capabilities: readonly AgentCapability[];
  readonly warnings: readonly (FieldProblem & { readonly code: string })[];
}

/** Texts in UTF-8. */
export interface FetchedText {
  /** The text that agents fetch. */
  readonly tables: Uint8Array;
  /** A JSON array with an item for each table: the columns of its condition, or null. */
  readonly whereColumns: Uint8Array;
}

interface AcceptedDefinition extends Omit<JobDefinition, 'tables'> {
  readonly tables?: readonly JobTable[];
  readonly fetchedTables?: FetchedTables;
  /** The custom models that the rules use; an agent needs their files. */
  readonly hostedModels: readonly UsedModel[];
  /** The registered compositions that the rules use; an agent needs them. */
  readonly compositions: readonly UsedComposition[];
}

/**
 * The largest definition that is a part of the command: the size of one NATS message (1 MiB), less space for ids, sealed
 * secrets and framing. An agent fetches the tables of a larger one.
 */
export const MAX_SENT_BYTES = 960 * 1024;

const MIB = 1024 * 1024;
/** The maximum total size of a job's custom models. The agent keeps their files in memory during the job. */
const MAX_MODEL_BYTES = 128 * MIB;

/**
 * Reads and checks a request for a job without asking an agent. Cost: seconds for a large one, so do not call this
 * function on the event loop.
 * @throws ApiError with all problems
 */
export async function acceptSyncJob(
  { body, now }: SyncJobInput,
  { sources, usedModels, usedCompositions }: Pick<TaskLibrary, 'sources' | 'usedModels' | 'usedCompositions'>,
): Promise<AcceptedSyncJob> {
  const dto = checkedDto(CreateSyncJobDto, parseJsonBody(body), 'body');
  const referenceInstant = parseInstant(dto.now) ?? startOfUtcDay(now);
  const problems: FieldProblem[] = [];
  const source = readConnectionString(dto.source.connection_string);
  const target = readConnectionString(dto.target.connection_string);
  if ('problem' in source) problems.push({ field: 'source.connection_string', message: source.problem });
  if ('problem' in target) problems.push({ field: 'target.connection_string', message: target.problem });
  const { tables: ruled, conditions } = writtenRules(dto);
  const rules = checkColumnRules(ruled, { ...sources, nowMs: referenceInstant.getTime() });
  const read = await checkConditions(conditions);
  const checks = [
    checkTables(dto.tables),
    checkIgnoredTables(dto),
    checkReplacement(dto),
    checkReplacedDatabases(dto),
  ];
  for (const found of [...checks, rules.problems, read.problems])
    for (const problem of found) problems.push(problem);
  if (problems.length > 0 || 'problem' in source || 'problem' in target) throw validationError(problems);
  const requested = toDefinition(dto);
  const tables = withWhereColumns(requested.tables, read.columns);
  const used = { hostedModels: usedModels, compositions: usedCompositions };
  const whole = { ...requested, tables, ...used };
  const modelBytes = usedModels.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (modelBytes > MAX_MODEL_BYTES) {
    throw new ApiError(
      'limit_exceeded',
      `The custom models of one job can have at most ${MAX_MODEL_BYTES / MIB} MiB in total. Split the job.`,
    );
  }
  const warnings = rules.warnings.map((warning) => ({ code: 'constraint_not_applied', ...warning }));
  const { name, seed, agent } = dto;
  const stored = sentOrFetched(whole);
  return {
    ...{ name, seed, agent, source, target, referenceInstant, warnings },
    ...stored,
    tableNames: copiedTables(tables).map((table) => table.name),
    capabilities: neededCapabilities({ ...whole, ...stored.definition }),
  };
}

/**
 * Decides whether an agent fetches the tables of a definition. The text of many tables has megabytes, so it is written
 * only once.
 * @throws ApiError `limit_exceeded` if the tables, or everything else, are too large even then
 */
function sentOrFetched(whole: AcceptedDefinition & { tables: readonly JobTable[] }) {
  const { tables, ...rest } = whole;
  const text = Buffer.from(writeTables(tables));
  if (text.length <= MAX_SENT_BYTES && isSent(whole)) return { definition: whole };
  if (text.length > MAX_TABLES_BYTES)
    throw new ApiError('limit_exceeded', 'The tables and rules are too large for one job. Split the job.');
  if (!isSent(rest)) {
    const message = 'The compositions and options are too large for one command to an agent. Split the job.';
    throw new ApiError('limit_exceeded', message);
  }
  const hash = createHash('sha256').update(text).digest('hex');
  const whereColumns = tables.map(({ subset }) => subset?.whereColumns ?? null);
  return {
    definition: { ...rest, fetchedTables: { hash, byteLength: text.length } },
    fetched: { tables: text, whereColumns: Buffer.from(JSON.stringify(whereColumns)) },
  };
}

function isSent(definition: Partial<AcceptedDefinition>): boolean {
  return Buffer.byteLength(writeExactJson(definition)) <= MAX_SENT_BYTES;
}
