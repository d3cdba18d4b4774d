import type { FailureContexts } from '../../session/failure-contexts.js';
import type { ProgressReport, SyncJobCommand, VerificationCheck } from '@understudy/sync-job';
import type { JobSessions } from '../../session/job-sessions.js';
import type { LocatedSession } from '../../session/located-client.js';
import type { KeepSnapshot, SyncEnvironment } from '../../environment.js';
import type { Snapshot } from '../../source/snapshot.js';
import type { TargetCheck } from './target-check.js';
import { createHmac } from 'node:crypto';
import { writeExactJson } from '@understudy/expression';
import { ModelRegistry } from '../../models/model-registry.js';
import { ruleFacts } from '../../plan/fingerprint.js';

export interface TargetVerificationRequest {
  readonly command: SyncJobCommand;
  readonly environment: SyncEnvironment;
  /** The number of rows of each table when the job completed, by table index. Absent if unknown. */
  readonly copied: ReadonlyMap<number, number>;
  /**
   * `known` if the rules, keys, models and seed are those of the run that made the target. Only then can the
   * masked values be recomputed.
   */
  readonly run: 'known' | 'unknown_run' | 'changed_rules';
  /** Called while rows are masked again. */
  readonly onProgress: (report: ProgressReport) => void;
  readonly signal: AbortSignal;
  readonly keepSnapshot: KeepSnapshot;
}

/** The request and the failure contexts that the checks of one verification share. */
export type TargetVerificationContext = TargetVerificationRequest & { readonly contexts: FailureContexts };

export interface ComparedDatabases {
  readonly source: LocatedSession;
  readonly target: LocatedSession;
  readonly snapshot: Snapshot;
  readonly sessions: JobSessions;
}

export function asTargetCheck(check: VerificationCheck): TargetCheck {
  if (check.kind === 'row_count' || check.kind === 'masked_columns')
    throw new Error('expected another kind of check than row_count or masked_columns');
  const { kind, tableIndex, ok, lookedAt } = check;
  return { kind, tableIndex, outcome: ok ? 'holds' : 'fails', lookedAt };
}

/**
 * Computes a hash of everything that determines masked values, except for the databases: rules, seed, masking
 * key, models and engine version. Compute it after the job has completed, because training a private model
 * changes the hash. The hash is keyed with the masking key. Without this key, it reveals nothing.
 */
export function masksFingerprint(
  command: SyncJobCommand,
  { keys, models, builtin }: Pick<SyncEnvironment, 'keys' | 'models' | 'builtin'>,
): string {
  const facts = ruleFacts(command, new ModelRegistry(models, builtin, new Map()));
  return createHmac('sha256', keys.maskingKey)
    .update(writeExactJson(['masks', facts]))
    .digest('hex');
}
