import type { ConnectionTarget } from '@understudy/postgres';
import type { DatabaseReference } from '@understudy/sync-job';
import type { SnapshotEnvironment } from '../snapshot-environment.js';

/** Decrypts the `sealedTarget` of a restore's command. */
export type OpenTarget = (sealedTarget: string, restoreId: string) => Promise<DatabaseReference>;

/** The target of an attempt at a restore, in the form that its records store. */
export interface RecordedTarget {
  /** Copied from the RestoreSnapshotCommand. */
  readonly sealedTarget: string;
  /** Host, port and name of the target. Absent from records of earlier versions. */
  readonly server?: string;
}

/** Returns the fields that a record needs for {@link openRecordedTarget}. */
export function recordedTarget(
  { sealedTarget }: { readonly sealedTarget: string },
  target: ConnectionTarget,
): RecordedTarget {
  return { sealedTarget, server: serverOf(target) };
}

/**
 * Resolves the target of a record. Other changes of the policy than one of the server have no effect, so that
 * they do not keep replaced databases.
 * @throws Error if the policy now has another server or database under the target's name · the errors of
 * `openTarget` and of the policy
 */
export async function openRecordedTarget(
  { restoreId, sealedTarget, server }: RecordedTarget & { readonly restoreId: string },
  { policy }: Pick<SnapshotEnvironment, 'policy'>,
  openTarget: OpenTarget,
): Promise<ConnectionTarget> {
  const target = policy.resolveDatabase(await openTarget(sealedTarget, restoreId), 'restore');
  if (server !== undefined && server !== serverOf(target))
    throw new Error(
      `expected the target ${server}, but the policy now resolves it to ${serverOf(target)}; undo this change, or drop the databases of ${restoreId} on the former server yourself`,
    );
  return target;
}

function serverOf({ host, port, database }: ConnectionTarget): string {
  return `${host.toLowerCase()}:${port}/${database}`;
}
