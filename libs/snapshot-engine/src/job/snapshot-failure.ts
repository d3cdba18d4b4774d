import type { SnapshotFailure, SnapshotFailureCode } from '@understudy/agent-protocol';
import { DatabaseInUseError } from '@understudy/database-swap';
import { DatabaseError } from '@understudy/postgres';
import { SnapshotStoreError, type SnapshotStoreCode } from '@understudy/snapshot-store';
import { defined, SyncJobError } from '@understudy/sync-job';

/**
 * Failure of a snapshot or restore. `failure` may be reported to the control plane. `cause` may quote row
 * values, so it goes only to the local log.
 */
export class SnapshotError extends Error {
  constructor(
    readonly failure: SnapshotFailure,
    options?: ErrorOptions,
  ) {
    super(failure.code, options);
    this.name = 'SnapshotError';
  }
}

/** Converts the error of an attempt to the failure that the attempt reports. */
export function snapshotFailureOf(error: unknown, signal?: AbortSignal): SnapshotFailure {
  // After an abort, every error is a consequence of the abort.
  if (signal?.aborted === true) return knownFailure(signal.reason) ?? { code: 'lease_lost' };
  return knownFailure(error) ?? { code: 'internal' };
}

function knownFailure(error: unknown): SnapshotFailure | undefined {
  if (error instanceof SnapshotError) return error.failure;
  if (error instanceof DatabaseInUseError) return { code: 'target_in_use', side: 'target' };
  if (error instanceof SnapshotStoreError) return { code: storeCode(error) };
  if (isDiskFull(error)) return { code: 'disk_full' };
  if (error instanceof DatabaseError) return databaseFailure(error);
  if (!(error instanceof SyncJobError)) return undefined;
  const { code, side, tableIndex, constraintKind, sqlstate } = error.failure;
  return { code, ...defined({ side, tableIndex, constraintKind, sqlstate }) };
}

/** Converts a failure of PostgreSQL to the facts that may leave the network. */
function databaseFailure({ code, side, constraintKind, sqlstate }: DatabaseError): SnapshotFailure {
  return { code, side, ...defined({ constraintKind, sqlstate }) };
}

function storeCode({ code, details }: SnapshotStoreError): SnapshotFailureCode {
  return details.damage === 'newer_format' ? 'snapshot_format_unknown' : STORE_CODES[code];
}

/** Returns true for the error of a file operation that found no space. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
}

const STORE_CODES: Readonly<Record<SnapshotStoreCode, SnapshotFailureCode>> = {
  store_denied: 'snapshot_store_denied',
  store_missing: 'snapshot_store_unavailable',
  store_unreachable: 'snapshot_store_unavailable',
  store_full: 'snapshot_store_full',
  archive_damaged: 'snapshot_corrupt',
  archive_not_found: 'snapshot_not_found',
  archive_key_mismatch: 'snapshot_key_missing',
  // The control plane issues one id per attempt. If the archive exists, another process already runs this
  // attempt.
  archive_exists: 'lease_lost',
  name_invalid: 'internal',
};
