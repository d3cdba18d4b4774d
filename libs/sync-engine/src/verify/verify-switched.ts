import type { EngineLog } from '@understudy/postgres';
import { type Verification, type VerificationCheck, SyncJobError } from '@understudy/sync-job';
import type { LocatedClient } from '../session/located-client.js';
import type { TablePlan } from '../plan/table-plan.js';
import { JoinComparison, newRowsInPlace } from './joins/join-comparison.js';
import { type JoinedKey, readJoinedKeys } from './joins/joined-keys.js';
import { verifyReferences } from './verify-references.js';
import { exhaustedLike, type UsedValues, verifySequences } from './verify-sequences.js';
import { readWriters } from './writer-code.js';

export interface SwitchToVerify {
  readonly plans: readonly TablePlan[];
  /** A client whose transaction uses the job's snapshot of the source. */
  readonly source: LocatedClient;
  /** A client in the transaction of the switch, which is not committed yet. */
  readonly target: LocatedClient;
  readonly log: EngineLog;
  /** The results of the row comparison. */
  readonly checks: readonly VerificationCheck[];
  /** The foreign keys whose joins have been compared. */
  readonly compared: readonly JoinedKey[];
  /** Returns the FROM item of the source rows that the job copies. */
  readonly sourceRows: (plan: TablePlan) => string;
  /** Whether the job copies a whole database. */
  readonly isWhole?: boolean;
  /** The values of the source's sequences before the switch. */
  readonly usedBefore: UsedValues;
  /** The last values of the target's sequences before the attempt; undefined if no event trigger can change them. */
  readonly usedOnTarget: UsedValues | undefined;
}

/**
 * Verifies the remaining joins, the references and the sequences of the switched tables. Returns the results together
 * with the given checks.
 * @throws SyncJobError verification_failed if any check failed
 */
export async function verifySwitched(request: SwitchToVerify): Promise<Verification> {
  const { plans, target, checks } = request;
  const joins = await compareJoins(request);
  const references = await verifyReferences(request);
  const sequences = await verifySequences(plans, target, {
    used: request.usedBefore,
    writers: request.usedBefore.size === 0 ? [] : await readWriters(request),
    mayBeExhausted: request.usedOnTarget && exhaustedLike(request.source, request.usedOnTarget),
  });
  return requireVerified([...checks, ...joins, ...references, ...sequences]);
}

/**
 * Compares the joins of the foreign keys that the switched tables have, except those that have been compared. The others
 * are those whose columns were staged as text, and those that the target has had only since the copy.
 */
async function compareJoins({
  plans,
  source,
  target,
  log,
  compared,
  sourceRows,
}: SwitchToVerify): Promise<readonly VerificationCheck[]> {
  const keys = await readJoinedKeys(plans, source, target, compared);
  const request = { keys, newRows: newRowsInPlace, sourceRows, log };
  const joins = await JoinComparison.plan(request, source, target);
  await joins.readBoth(source, target);
  return joins.checks();
}

/**
 * Returns the checks if all of them passed.
 * @throws SyncJobError verification_failed. The failure contains all checks and the table of the first failed check.
 */
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
