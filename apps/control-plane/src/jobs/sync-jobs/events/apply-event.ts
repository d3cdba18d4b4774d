import type { SyncJobEvent } from '@understudy/agent-protocol';
import {
  failureError,
  isRetryable,
  type LeftOut,
  type Names,
  warningsOf,
  type Received,
  type SyncWarning,
  type TableProgress,
} from '@understudy/sync-job';
import { isDeepStrictEqual } from 'node:util';

import {
  outcomeOf,
  applyReport,
  type Outcome,
  type Report,
  type ReportContext,
} from '../../../agents/agent-work/leases/apply-report.js';
import { historyAfter, withPhase } from './attempt-history.js';
import { knownPhases, throughputAfter } from './job-throughput.js';
import { verificationAfter } from './job-verification.js';
import type { JobDefinition, JobProgress, TableState, JobModel } from '../sync-job.js';
import { predictionOf } from './prediction.js';

export interface Applied {
  readonly outcome: Outcome;
  readonly job: JobProgress;
  /** Set if the event reported a trained model. */
  readonly trained?: JobModel;
}

/**
 * Applies an event of an agent. Pure and idempotent: applying an event twice has the same result as applying
 * it once. Events of one epoch can arrive out of order and with gaps, because a lost message is sent again
 * later. An event with a lower number than the last applied one only adds its trained model, if it has one.
 * @param agentId the sender, taken from the message's subject; only this agent may publish to that subject
 */
export function applyEvent(
  job: JobProgress,
  definition: JobDefinition,
  event: SyncJobEvent,
  { names, ...context }: ApplyContext,
): Applied {
  const outcome = outcomeOf(job.state, event, context.agentId);
  if (outcome === 'stale') return { outcome, job };
  const trained = event.body.type === 'model_trained' ? trainedModel(event.body, definition) : undefined;
  if (outcome === 'duplicate') {
    const known =
      !trained || job.models.some(({ name, hash }) => name === trained.name && hash === trained.hash);
    if (known) return { outcome, job };
    return { outcome: 'applied', job: { ...job, models: withModel(job.models, trained) }, trained };
  }
  const { body } = event;
  const result = resultOf(body, names);
  const { state, at } = applyReport(job.state, { ...event, result }, context);
  const throughput = throughputAfter(job.throughput, body, at);
  const errorCode = result.type === 'failed' ? result.failure.error.code : undefined;
  return {
    outcome,
    job: {
      state,
      tables: 'tables' in body ? withProgress(job.tables, body.tables) : job.tables,
      models: trained ? withModel(job.models, trained) : job.models,
      // The warnings of the request come first. The agent reports its own warnings once, at the end of the
      // job.
      warnings: [...job.warnings, ...warningsOf(warningsIn(body), names)],
      leftOut: leftOutIn(body) ?? job.leftOut,
      prediction: body.type === 'predicted' ? predictionOf(body.prediction, names) : job.prediction,
      throughput,
      phases: body.type === 'completed' ? knownPhases(body.phases) : job.phases,
      verification: verificationAfter(job.verification, body, definition, names),
      attemptHistory: historyAfter(withPhase(job.attemptHistory, throughput?.phase, at), {
        ...{ before: job.state, after: state, at, errorCode },
      }),
    },
    ...(trained ? { trained } : {}),
  };
}

export interface ApplyContext extends ReportContext {
  readonly names: Names;
}

function resultOf(body: SyncJobEvent['body'], names: Names): Report['result'] {
  if (body.type === 'completed' || body.type === 'predicted') return { type: 'completed' };
  if (body.type !== 'failed') return { type: 'alive' };
  const { failure } = body;
  return {
    type: 'failed',
    failure: { error: failureError(failure, names), isRetryable: isRetryable(failure) },
  };
}

function warningsIn(body: SyncJobEvent['body']): readonly Received<SyncWarning>[] {
  if (body.type === 'completed') return body.warnings;
  return body.type === 'predicted' ? body.prediction.warnings : [];
}

function leftOutIn(body: SyncJobEvent['body']): LeftOut | undefined {
  if (body.type === 'completed') return body.leftOut;
  return body.type === 'predicted' ? body.prediction.leftOut : undefined;
}

function withProgress(tables: readonly TableState[], reported: readonly TableProgress[]): TableState[] {
  const next = [...tables];
  for (const { tableIndex, state: status, ...counts } of reported) {
    const known = next[tableIndex];
    if (known === undefined || !Object.values(counts).every(isCount)) continue; // our agents never send this
    const { rowsProcessed, rowsTotal, bytesProcessed, bytesTotal } = counts;
    const table = { status, rowsProcessed, rowsTotal, bytesProcessed, bytesTotal };
    if (!isDeepStrictEqual(known, table)) next[tableIndex] = table; // an unchanged table is not written
  }
  return next;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function trainedModel(
  { tableIndex, columnIndex, hash }: { tableIndex: number; columnIndex: number; hash: string },
  definition: JobDefinition,
): JobModel | undefined {
  const rule = definition.tables[tableIndex]?.columns[columnIndex]?.rule;
  const name =
    typeof rule === 'object' && rule !== null ? (Reflect.get(rule, 'generator') as unknown) : undefined;
  if (typeof name !== 'string' || !name.startsWith('private/') || !/^[0-9a-f]{64}$/.test(hash))
    return undefined;
  return { name, hash };
}

function withModel(models: readonly JobModel[], trained: JobModel): JobModel[] {
  return [...models.filter(({ name }) => name !== trained.name), trained];
}

/** Returns the number of rows of all tables, but at most the largest safe integer. */
export function totalRows(tables: readonly TableState[]): number {
  return Math.min(
    tables.reduce((sum, { rowsProcessed }) => sum + rowsProcessed, 0),
    Number.MAX_SAFE_INTEGER,
  );
}
