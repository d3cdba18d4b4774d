import type { Session } from '@understudy/postgres';
import type { FailureContexts } from '../../session/failure-contexts.js';
import type { ProgressReport, SyncJobCommand, VerificationCheck } from '@understudy/sync-job';
import type { JobSessions } from '../../session/job-sessions.js';
import type { OnLeaseRenewed, SyncEnvironment } from '../../environment.js';
import type { Snapshot } from '../../source/snapshot.js';
import type { TargetCheck } from './target-check.js';
import { createHmac } from 'node:crypto';
import { ModelRegistry } from '../../models/model-registry.js';
import { ruleFacts } from '../../plan/fingerprint.js';

export interface TargetVerificationRequest {
  readonly command: SyncJobCommand;
  readonly environment: SyncEnvironment;
  /** Rows of each table when the job completed, by table index, as far as somebody remembers. */
  readonly copied: ReadonlyMap<number, number>;
  /** Whether rules, keys, models and seed are those that made the target: only then its masked values can be made again. */
  readonly run: 'known' | 'unknown_run' | 'changed_rules';
  /** While rows are masked again. */
  readonly onProgress: (report: ProgressReport) => void;
  readonly signal: AbortSignal;
  readonly onLeaseRenewed: OnLeaseRenewed;
}

/** What the checks of one verification share. */
export type TargetVerificationContext = TargetVerificationRequest & { readonly contexts: FailureContexts };

export interface ComparedDatabases {
  readonly source: Session;
  readonly target: Session;
  readonly snapshot: Snapshot;
  readonly sessions: JobSessions;
}

export function asTargetCheck(check: VerificationCheck): TargetCheck {
  if (check.kind === 'row_count' || check.kind === 'masked_columns') throw new Error('told in another way');
  const { kind, tableIndex, ok, lookedAt } = check;
  return { kind, tableIndex, outcome: ok ? 'holds' : 'fails', lookedAt };
}

/**
 * Stands for all that decides about masked values besides the databases: rules, seed, masking key, models, this engine. As it is when a job
 * has completed: a private model that is trained anew changes it. Under the masking key, so that it tells nobody without it anything.
 */
export function masksFingerprint(
  command: SyncJobCommand,
  { keys, models, builtin }: Pick<SyncEnvironment, 'keys' | 'models' | 'builtin'>,
): string {
  const facts = ruleFacts(command, new ModelRegistry(models, builtin, new Map()));
  return createHmac('sha256', keys.maskingKey)
    .update(JSON.stringify(['masks', facts]))
    .digest('hex');
}
