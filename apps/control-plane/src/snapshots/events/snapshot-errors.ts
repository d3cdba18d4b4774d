import {
  capital,
  failureMessage,
  knownCode,
  SYNC_JOB_WORDING,
  type Sentence,
  type Wording,
} from '@understudy/sync-job';

import type { AgentFailure } from '../../agent-link/messages/sync-job-event.js';
import type { JobError } from '../../agent-work/leases/work-state.js';

/** @param tables as asked for; agents speak of them by index */
export function snapshotError(failure: AgentFailure, tables: readonly string[]): JobError {
  return errorOf(failure, SNAPSHOT_MESSAGES, tables);
}

export function restoreError(failure: AgentFailure): JobError {
  return errorOf(failure, RESTORE_MESSAGES, []);
}

function errorOf(failure: AgentFailure, wording: Wording, tables: readonly string[]): JobError {
  const names = {
    table: (index: number | undefined) => (index === undefined ? undefined : tables[index]),
    column: () => undefined,
  };
  return { code: knownCode(failure.code, wording), message: failureMessage(failure, names, wording) };
}

/** Of making and of restoring alike. */
const STORE: Readonly<Record<string, Sentence>> = {
  snapshot_store_unavailable: () =>
    'The store that the agent keeps snapshots in does not answer. Check that the agent reaches it.',
  snapshot_store_denied: () =>
    "The store that the agent keeps snapshots in refused it. Check the bucket's policy, or the permissions of the folder.",
  permission_denied: (p) =>
    `The user of ${p.database} lacks a privilege${p.table ? ` on ${p.table}` : ''}: SELECT on every table of a snapshot, and to restore one CREATEDB or the ownership of the database.`,
};

const SNAPSHOT_MESSAGES: Wording = {
  ...SYNC_JOB_WORDING,
  database: () => 'the database',
  outcome: 'Nothing of the snapshot was kept.',
  again: 'post the snapshot again',
  own: {
    ...STORE,
    snapshot_store_full: (p) =>
      `The store that the agent keeps snapshots in has no room for this one. ${p.outcome} Delete snapshots, or give it more.`,
    cancelled: () => 'The snapshot was not wanted any more.',
    lease_lost: () =>
      'No agent kept in touch long enough to finish the snapshot, on any of its attempts. Check that the agent runs and can reach the control plane.',
    agent_restarted: () => 'The agent ended while it made the snapshot, on each attempt. Look at its log.',
  },
};

const RESTORE_MESSAGES: Wording = {
  ...SYNC_JOB_WORDING,
  database: (side) => (side === 'source' ? 'the snapshot' : 'the target database'),
  again: 'ask for the restore again',
  own: {
    ...STORE,
    snapshot_not_found: (p) =>
      `The store of the agent does not have the snapshot any more, or has another one in its place. ${p.outcome} Delete the snapshot.`,
    snapshot_corrupt: (p) =>
      `What is stored of the snapshot is not what was stored: its checksums differ. ${p.outcome} It cannot be restored; delete it.`,
    snapshot_key_missing: (p) =>
      `The snapshot is encrypted under a key that the agent does not have. ${p.outcome} Give the agent the key that it was made with.`,
    snapshot_format_unknown: (p) =>
      `The snapshot was made by a newer agent than the one that was to restore it. ${p.outcome} Update the agent.`,
    target_not_empty: () =>
      'The target database holds tables, and "overwrite" is false: it was not touched. Restore into an empty or a new database, or set "overwrite".',
    target_in_use: (p) =>
      `Other sessions are connected to ${p.database}. ${p.outcome} End them, or restore into another database.`,
    disk_full: (p) =>
      `There is not enough free disk: on the agent's machine, or on the server of ${p.database}, which keeps the replaced database beside the restored one (keep_replaced_hours of the agent's policy). ${p.outcome} Free some space, or lower keep_replaced_hours.`,
    target_server_older: (p) =>
      `The server of ${p.database} is older than the one the snapshot was taken from. ${p.outcome} Restore into a server of its version or a newer one.`,
    target_holds_other_tables: (p) =>
      `The snapshot is of chosen tables, and ${p.database} holds others, which would be lost. ${p.outcome} Restore into an empty or a new database.`,
    restore_needs_createdb: (p) =>
      `The user of ${p.database} may create no database, and what is restored is loaded beside the target first. ${p.outcome} As a superuser: ALTER ROLE … CREATEDB; or restore into an existing database without tables.`,
    restore_needs_ownership: (p) =>
      `${p.Database} belongs to another role than the one of its connection, which can neither rename nor drop it. ${p.outcome} As a superuser: ALTER DATABASE … OWNER TO …; or restore into another database.`,
    same_database: () =>
      'The target is the database that the snapshot was taken from. Restore into another one.',
    create_failed: (p) =>
      `${capital(p.table ?? 'Something of the snapshot')} could not be created in the target database: what it needs (a type, an extension, a function, a role) is missing there. ${p.outcome} The agent's log on your side names it.`,
    constraint_violation: (p) =>
      `The snapshot's rows of ${p.where} break ${p.constraint}: it holds some of the tables alone that refer to one another. ${p.outcome}`,
    lease_lost: () =>
      'No agent kept in touch long enough to finish the restore, on any of its attempts. Check that the agent runs and can reach the control plane.',
    cancelled: (p) => `The snapshot was deleted or has expired before the restore began. ${p.outcome}`,
    agent_restarted: (p) =>
      `The agent ended while it restored the snapshot, on each attempt. ${p.outcome} Look at its log.`,
  },
};
