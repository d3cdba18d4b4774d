import type { EngineLog, Client } from '@understudy/postgres';
import {
  type DatabaseSide,
  type Verification,
  type VerificationCheck,
  SyncJobError,
} from '@understudy/sync-job';
import type { FailureContext } from '../session/guard.js';
import type { TablePlan } from '../plan/table-plan.js';
import { verifyReferences } from './verify-references.js';
import { verifySequences } from './verify-sequences.js';

export interface SwitchToVerify {
  readonly plans: readonly TablePlan[];
  /** In the snapshot. */
  readonly source: Client;
  /** In the transaction that switches, before its commit. */
  readonly target: Client;
  readonly contextOf: (side: DatabaseSide, tableIndex?: number) => FailureContext;
  readonly log: EngineLog;
  /** What was found of the rows before. */
  readonly checks: readonly VerificationCheck[];
}

/** The last look, at everything in its place. @throws SyncJobError verification_failed */
export async function verifySwitched(request: SwitchToVerify): Promise<Verification> {
  const { plans, target, contextOf, checks } = request;
  const references = await verifyReferences(request);
  const sequences = await verifySequences(plans, target, (index) => contextOf('target', index));
  return requireVerified([...checks, ...references, ...sequences]);
}

/** @throws SyncJobError verification_failed with all checks, at the table of the first that failed */
export function requireVerified(checks: readonly VerificationCheck[]): Verification {
  const failed = checks.find(({ ok }) => !ok);
  if (failed === undefined) return { checks };
  throw new SyncJobError({
    code: 'verification_failed',
    side: 'target',
    tableIndex: failed.tableIndex,
    ...('columnIndex' in failed ? { columnIndex: failed.columnIndex } : {}),
    verification: { checks },
  });
}
