import type { AgentFailure } from '@understudy/agent-protocol';
import {
  capital,
  failureMessage,
  knownCode,
  SYNC_JOB_MESSAGES,
  type MessageTemplate,
  type MessageSet,
} from '@understudy/sync-job';

import type { JobError } from '../../../agents/agent-work/leases/work-state.js';

/** @param tables the requested tables, to which agents refer by index */
export function snapshotError(failure: AgentFailure, tables: readonly string[]): JobError {
  return errorOf(failure, SNAPSHOT_MESSAGES, tables);
}

export function restoreError(failure: AgentFailure): JobError {
  return errorOf(failure, RESTORE_MESSAGES, []);
}

function errorOf(failure: AgentFailure, messages: MessageSet, tables: readonly string[]): JobError {
  const names = {
    table: (index: number | undefined) => (index === undefined ? undefined : tables[index]),
    column: () => undefined,
  };
  return { code: knownCode(failure.code, messages), message: failureMessage(failure, names, messages) };
}

/** The messages that failed snapshots and failed restores have in common. */
const STORE: Readonly<Record<string, MessageTemplate>> = {
  snapshot_store_unavailable: () =>
    "The agent's snapshot store does not respond. Check that the agent can reach it.",
  snapshot_store_denied: () =>
    "The agent's snapshot store refused access. Check the bucket's policy, or the permissions of the folder.",
  permission_denied: (p) =>
    `The user of ${p.database} lacks a privilege${p.table ? ` on ${p.table}` : ''}. A snapshot needs SELECT on every table. A restore needs CREATEDB, or the ownership of the database.`,
};

/** The messages of failed snapshots. */
export const SNAPSHOT_MESSAGES: MessageSet = {
  ...SYNC_JOB_MESSAGES,
  database: () => 'the database',
  outcome: 'Nothing of the snapshot was kept.',
  again: 'create the snapshot again',
  own: {
    ...STORE,
    snapshot_store_full: (p) =>
      `The agent's snapshot store has no space for this snapshot. ${p.outcome} Delete snapshots, or add storage.`,
    cancelled: () => 'The snapshot was cancelled, because it was deleted or expired.',
    lease_lost: () =>
      'The control plane lost contact with the agent in every attempt to create the snapshot. Check that the agent runs and can reach the control plane.',
    agent_restarted: () =>
      'The agent stopped while it created the snapshot, in every attempt. Check its log.',
  },
};

/** The messages of failed restores. */
export const RESTORE_MESSAGES: MessageSet = {
  ...SYNC_JOB_MESSAGES,
  database: (side) => (side === 'source' ? 'the snapshot' : 'the target database'),
  again: 'request the restore again',
  own: {
    ...STORE,
    snapshot_not_found: (p) =>
      `The agent's store no longer contains the snapshot, or contains another one in its place. ${p.outcome} Delete the snapshot.`,
    snapshot_corrupt: (p) =>
      `The stored snapshot is damaged: its checksums differ. ${p.outcome} Delete the snapshot, because it cannot be restored.`,
    snapshot_key_missing: (p) =>
      `The snapshot is encrypted with a key that the agent does not have. ${p.outcome} Give the agent the key with which the snapshot was created.`,
    snapshot_format_unknown: (p) =>
      `The snapshot was created by a newer version of the agent. ${p.outcome} Update the agent that restores it.`,
    target_not_empty: () =>
      'The target database contains tables, and "overwrite" is false. The database was not changed. Restore into an empty or a new database, or set "overwrite".',
    target_in_use: (p) =>
      `Other sessions are connected to ${p.database}. ${p.outcome} End them, or restore into another database.`,
    disk_full: (p) =>
      `There is not enough free disk space on the agent's machine or on the server of ${p.database}. That server keeps the replaced database beside the restored one (keep_replaced_hours in the agent's policy). ${p.outcome} Free some space, or lower keep_replaced_hours.`,
    target_server_older: (p) =>
      `The server of ${p.database} is older than the server of the snapshot. ${p.outcome} Restore into a server of the same or a newer version.`,
    target_holds_other_tables: (p) =>
      `The snapshot contains selected tables only, and ${p.database} contains other tables, which would be lost. ${p.outcome} Restore into an empty or a new database.`,
    publication_of_all_tables: (p) =>
      `A publication of ${p.database} is FOR ALL TABLES. The user cannot create databases, so the snapshot would be loaded into this database, and subscribers would receive its rows. ${p.outcome} Drop the publication, or run ALTER ROLE … CREATEDB as a superuser.`,
    publication_of_schema: (p) =>
      `A publication of ${p.database} publishes a schema of the snapshot. The user cannot create databases, so the snapshot would be loaded into this database, and subscribers would receive its rows. ${p.outcome} Drop the publication, or run ALTER ROLE … CREATEDB as a superuser.`,
    restore_needs_createdb: (p) =>
      `The user of ${p.database} cannot create the temporary database that the restore needs. ${p.outcome} Run ALTER ROLE … CREATEDB as a superuser, or restore into an existing database without tables.`,
    restore_needs_ownership: (p) =>
      `The user of ${p.database} does not own that database, so the user cannot rename or drop it. ${p.outcome} Run ALTER DATABASE … OWNER TO … as a superuser, or restore into another database.`,
    same_database: () => 'The target is the source database of the snapshot. Restore into another database.',
    create_failed: (p) =>
      `${capital(p.table ?? 'Something of the snapshot')} could not be created in the target database. A type, an extension, a function or a role that it needs is missing there. ${p.outcome} The log of the agent names the missing object.`,
    constraint_violation: (p) =>
      `The snapshot's rows of ${p.where} violate ${p.constraint}, because the snapshot lacks a table that they refer to. ${p.outcome}`,
    lease_lost: () =>
      'The control plane lost contact with the agent in every attempt to restore the snapshot. Check that the agent runs and can reach the control plane.',
    cancelled: (p) => `The snapshot was deleted or expired before the restore started. ${p.outcome}`,
    agent_restarted: (p) =>
      `The agent stopped while it restored the snapshot, in every attempt. ${p.outcome} Check its log.`,
  },
};
