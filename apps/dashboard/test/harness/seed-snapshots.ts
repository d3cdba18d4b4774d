import type { DashboardTest } from './dashboard-test.js';
import { AGENT_ID, insertRow, seedAgent } from './seed-jobs.js';

const DAY_MS = 86_400_000;
const MIB = 1024 ** 2;

/** The ids of the snapshots and restores that `seedSnapshots` inserts. */
export interface SeededSnapshots {
  readonly ready: string;
  readonly creating: string;
  readonly failed: string;
  readonly restoring: string;
  readonly refused: string;
  readonly restored: string;
}

/** Inserts snapshots and restores in every state, because an agent would need minutes for them. */
export async function seedSnapshots(dashboard: DashboardTest): Promise<SeededSnapshots> {
  await seedAgent(dashboard);
  const begun = (age: number) => ({
    started_at: ago(age + 0.0099),
    attempts: 1,
    epoch: 1,
    agent_id: AGENT_ID,
  });
  const held = { ...begun(0), leased_at: ago(0.01), renewed_at: ago(0), lease_expires_at: ago(-1) };
  const ended = (age: number) => ({ ...begun(age), completed_at: ago(age + 0.008) });
  const counts = { tablesDone: 19, tablesTotal: 32, bytesDone: 11_470 * MIB, bytesTotal: 18_534 * MIB };
  const all = { ...counts, tablesDone: 32, bytesDone: 18_534 * MIB };
  const error = {
    error_code: 'permission_denied',
    error_message:
      'The user of the database lacks a privilege on payroll. A snapshot needs SELECT on every table. Nothing of the snapshot was kept.',
  };
  const ready = (age: number) => ({
    status: 'completed',
    ...ended(age),
    size_bytes: 3_480 * MIB,
    made: {
      epoch: 1,
      store: 'f'.repeat(32),
      manifestHash: 'a'.repeat(64),
      tableCount: 32,
      format: 1,
      serverVersion: 170_006,
    },
    progress: { phase: null, counts: all },
  });
  const insert = (number: number, name: string, row: object) => seedSnapshot(dashboard, number, name, row);
  const restore = async (number: number, target: string, row: object) => {
    const id = `rst_01K${String(number).padStart(23, '0')}`;
    await insertRow(dashboard, 'snapshot_restores', {
      ...{ id, organization_id: dashboard.organization.id, snapshot_id: snapshotId(1) },
      ...{ target_display: target, target: { kind: 'agent', name: target }, overwrite: true, requires: {} },
      ...{ created_at: ago(0.01 + number - 1) },
      ...row,
    });
    return id;
  };
  const creating = await insert(0, 'Before the upgrade to version 18', {
    ...{ status: 'running', ...held, progress: { phase: 'dumping', counts } },
  });
  const readyId = await insert(1, 'Before the migration', { ...ready(1), tables: TABLES });
  const failed = await insert(2, 'Payroll', { status: 'failed', ...ended(2), ...error });
  await insert(3, 'Release 42', { ...ready(3), size_bytes: 812 * MIB });
  await insert(4, 'Load test', { ...ready(4), expired_at: ago(1) });
  await insert(5, 'Release 41', { ...ready(5), delete_requested_at: ago(0) });
  return {
    ...{ ready: readyId, creating, failed },
    restoring: await restore(1, 'review', {
      ...{ status: 'running', ...held, progress: { phase: 'loading', counts } },
    }),
    refused: await restore(2, 'review', {
      ...{
        status: 'failed',
        ...ended(1),
        error_code: 'target_in_use',
        progress: { phase: null, counts: all },
      },
      error_message:
        'Other sessions are connected to the target database. The target was not changed. End them, or restore into another database.',
    }),
    restored: await restore(3, 'review', {
      ...{ status: 'completed', ...ended(2), progress: { phase: null, counts: all } },
    }),
  };
}

/**
 * Inserts a snapshot. @returns its id
 * @param number a number from 0, of which the id is made. It is also the age in days
 * @param row more columns of `snapshots`, with objects for JSON
 */
export async function seedSnapshot(dashboard: DashboardTest, number: number, name: string, row: object) {
  const id = snapshotId(number);
  await insertRow(dashboard, 'snapshots', {
    ...{ id, organization_id: dashboard.organization.id, name, created_at: ago(0.01 + number) },
    ...{ database_display: 'shop', database: { kind: 'agent', name: 'shop' }, requires: {} },
    ...{ expires_at: ago(-30 + number), asked_tables: [], tables: [] },
    ...row,
  });
  return id;
}

function snapshotId(number: number): string {
  return `snap_01K${String(number).padStart(23, '0')}`;
}

const TABLES = ['sales', 'stock', 'public', 'crm'].flatMap((schema) =>
  ['customers', 'orders', 'order_items', 'invoices', 'payments', 'addresses', 'events', 'notes'].map((name) =>
    schema === 'public' ? name : `${schema}.${name}`,
  ),
);

function ago(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}
