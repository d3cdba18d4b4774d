import fc from 'fast-check';
import type { SyncJobEvent } from '@understudy/agent-protocol';
import { namesOf } from '@understudy/sync-job';

import { applyEvent, totalRows, type ApplyContext } from './apply-event.js';
import { PENDING_TABLE, type JobDefinition, type JobProgress } from '../sync-job.js';

const HASH = 'ab'.repeat(32);
const CREATED = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-01-01T00:10:00Z');
const DEFINITION: JobDefinition = {
  unlistedColumns: 'preserve',
  tables: [
    { name: 'customers', columns: [{ name: 'name', rule: { generator: 'private/names', train: {} } }] },
    { name: 'orders', columns: [{ name: 'note', rule: { preserve: true } }] },
  ],
};
const CONTEXT: ApplyContext = {
  agentId: 'agt_a',
  now: NOW,
  createdAt: CREATED,
  maxAttempts: 3,
  maxLostLeases: 20,
  names: namesOf(DEFINITION),
};
const LEASED: JobProgress = {
  state: {
    status: 'pending',
    attempts: 1,
    epoch: 1,
    lastSeq: 0,
    lostLeases: 0,
    graceSeconds: 0,
    renewedAt: null,
    snapshotTakenAt: null,
    agentId: 'agt_a',
    leasedAt: CREATED,
    leaseExpiresAt: NOW,
    startedAt: null,
    completedAt: null,
    error: null,
    cancelRequestedAt: null,
  },
  tables: [PENDING_TABLE, PENDING_TABLE],
  models: [],
  warnings: [],
  throughput: null,
  phases: [],
  verification: null,
  prediction: null,
  leftOut: null,
  attemptHistory: [],
};

const event = (seq: number, body: SyncJobEvent['body'], epoch = 1): SyncJobEvent => ({
  jobId: 'job_1',
  epoch,
  seq,
  occurredAt: new Date('2026-01-01T00:05:00Z'),
  body,
});
const progress = (tableIndex: number, rowsProcessed: number, state: 'copying' | 'completed' = 'copying') =>
  ({
    type: 'progress',
    phase: 'copying',
    rowsPerSecond: 10,
    bytesPerSecond: 100,
    remainingMs: 5_000,
    tables: [
      { tableIndex, rowsProcessed, rowsTotal: 1000, bytesProcessed: rowsProcessed, bytesTotal: 1000, state },
    ],
  }) as const;
const completed = { type: 'completed', tables: [], durationMs: 1, warnings: [], phases: [] } as const;

const apply = (job: JobProgress, ...events: SyncJobEvent[]): JobProgress =>
  events.reduce((known, next) => applyEvent(known, DEFINITION, next, CONTEXT).job, job);

const bodies: fc.Arbitrary<SyncJobEvent['body']> = fc.oneof(
  fc.constant<SyncJobEvent['body']>({ type: 'started' }),
  fc.tuple(fc.nat(3), fc.nat(2000)).map(([index, rows]) => progress(index, rows)),
  fc.constant<SyncJobEvent['body']>({ type: 'model_trained', tableIndex: 0, columnIndex: 0, hash: HASH }),
  fc.constant<SyncJobEvent['body']>(completed),
  fc
    .constantFrom('connection_lost', 'constraint_violation', 'made_up')
    .map((code): SyncJobEvent['body'] => ({ type: 'failed', failure: { code } })),
  fc.constantFrom('column_mismatch', 'made_up').map((code): SyncJobEvent['body'] => ({
    type: 'predicted',
    prediction: { failures: [{ code }], failureCount: 1, tables: [], warnings: [] }, // from an earlier agent
  })),
);

describe('applyEvent', () => {
  it('takes a job from its start through progress to its completion', () => {
    const done = apply(
      LEASED,
      event(1, { type: 'started' }),
      event(2, progress(0, 400)),
      event(3, {
        ...completed,
        tables: progress(0, 1000, 'completed').tables,
        phases: [{ phase: 'copying', durationMs: 9 }],
        verification: { checks: [{ kind: 'sequences', tableIndex: 0, ok: true, lookedAt: 1 }] },
      }),
    );
    expect(done.state).toMatchObject({ status: 'completed', lastSeq: 3, leaseExpiresAt: null, error: null });
    expect(totalRows(done.tables)).toBe(1000);
    expect(done.tables[0]).toEqual({
      status: 'completed',
      rowsProcessed: 1000,
      rowsTotal: 1000,
      bytesProcessed: 1000,
      bytesTotal: 1000,
    });
    expect(done).toMatchObject({ throughput: null, phases: [{ phase: 'copying', durationMs: 9 }] });
    expect(done.verification?.checks).toEqual([
      { check: 'sequences', table: 'customers', ok: true, column: null, lookedAt: 1, rows: null },
    ]);
  });

  it('reports the throughput of an attempt while it runs', () => {
    const started = apply(LEASED, event(1, { type: 'started' }));
    expect(started.throughput).toMatchObject({ phase: 'preflight', estimatedEnd: null });
    const copying = apply(started, event(2, progress(0, 400)));
    expect(copying.throughput).toEqual({
      phase: 'copying',
      rowsPerSecond: 10,
      bytesPerSecond: 100,
      estimatedEnd: '2026-01-01T00:05:05.000Z',
    });
    const lost = event(3, { type: 'failed', failure: { code: 'connection_lost' } });
    expect(apply(copying, lost).throughput).toBeNull();
  });

  it('keeps the checks of a failed verification, except those of tables outside the job', () => {
    const check = { kind: 'preserved_columns', ok: false, lookedAt: 2 };
    const verification = {
      checks: [
        { ...check, tableIndex: 1 },
        { ...check, tableIndex: 7 },
        { ...check, kind: 'constructor', tableIndex: 0, columnIndex: 0 },
      ],
    };
    const failure = { code: 'verification_failed', tableIndex: 1, verification };
    const job = apply(LEASED, event(1, { type: 'failed', failure }));
    expect(job.state).toMatchObject({ status: 'failed', error: { code: 'verification_failed' } });
    expect(job.verification?.checks).toMatchObject([
      { check: 'preserved_columns', table: 'orders', ok: false },
      { check: 'other', table: 'customers', column: 'name' },
    ]);
    const hostile = { checks: Array.from({ length: 1000 }, () => ({ ...check, tableIndex: 0 })) };
    const many = apply(LEASED, event(1, { type: 'failed', failure: { ...failure, verification: hostile } }));
    expect(many.verification?.checks.length).toBeLessThan(50);
  });

  it('changes only the tables whose progress changed', () => {
    const once = apply(LEASED, event(1, progress(0, 400)));
    const again = apply(once, event(2, progress(0, 400)));
    expect(again.tables[0]).toBe(once.tables[0]);
  });

  it('ends a dry run with its prediction and readable messages', () => {
    const prediction = {
      failures: [
        { code: 'constraint_violation', side: 'target', tableIndex: 0, constraintKind: 'unique' } as const,
        { code: 'made_up' },
      ],
      failureCount: 7,
      tables: [
        { tableIndex: 0, rows: 120 },
        { tableIndex: 9, rows: 120 },
        { tableIndex: 1, rows: 0 },
      ],
      warnings: [{ code: 'foreign_key_skipped', tableIndex: 1 }],
    };
    const done = apply(LEASED, event(1, { type: 'started' }), event(2, { type: 'predicted', prediction }));
    expect(done.state).toMatchObject({ status: 'completed', error: null });
    expect(done.prediction).toEqual({
      problems: [
        expect.objectContaining({
          code: 'constraint_violation',
          message: expect.stringContaining('unique constraint'),
        }),
        expect.objectContaining({ code: 'internal' }),
      ],
      problemCount: 7,
      tables: [
        { name: DEFINITION.tables[0]?.name, rows: 120 },
        { name: DEFINITION.tables[1]?.name, rows: 0 },
      ],
    });
    expect(done.warnings).toEqual([expect.objectContaining({ code: 'foreign_key_skipped' })]);
  });

  it('keeps the warnings of the request before those of the agent', () => {
    const ofRequest = {
      code: 'constraint_not_applied',
      message: 'm',
      field: 'tables[0].columns.a.constraints.x',
    };
    const warned = { ...LEASED, warnings: [ofRequest] };
    const warnings = [{ code: 'foreign_key_skipped', tableIndex: 1 }];
    const ended = event(2, { ...completed, warnings });
    const done = apply(warned, event(1, { type: 'started' }), ended, ended);
    expect(done.warnings).toEqual([ofRequest, expect.objectContaining({ code: 'foreign_key_skipped' })]);
  });

  it('changes nothing if an event is applied again', () => {
    fc.assert(
      fc.property(fc.array(bodies, { maxLength: 8 }), (all) => {
        const events = all.map((body, index) => event(index + 1, body));
        const once = apply(LEASED, ...events);
        expect(apply(once, ...events)).toEqual(once);
        for (const again of events) {
          expect(applyEvent(once, DEFINITION, again, CONTEXT).outcome).toBe('duplicate');
        }
      }),
    );
  });

  it('refuses an older epoch and an agent without the lease', () => {
    const newer = { ...LEASED, state: { ...LEASED.state, epoch: 2 } };
    const end = event(1, completed);
    expect(applyEvent(newer, DEFINITION, end, CONTEXT)).toEqual({ outcome: 'stale', job: newer });
    const other = { ...CONTEXT, agentId: 'agt_b' };
    expect(applyEvent(LEASED, DEFINITION, end, other)).toEqual({ outcome: 'stale', job: LEASED });
  });

  it('keeps a trained model whose event arrives late', () => {
    const trained = event(2, { type: 'model_trained', tableIndex: 0, columnIndex: 0, hash: HASH });
    const late = apply(LEASED, event(1, { type: 'started' }), event(3, progress(0, 1)), trained);
    expect(late.models).toEqual([{ name: 'private/names', hash: HASH }]);
    expect(late.state.lastSeq).toBe(3);
  });

  it('ignores a model for a column whose rule names no model', () => {
    const forged = event(1, { type: 'model_trained', tableIndex: 1, columnIndex: 0, hash: HASH });
    expect(apply(LEASED, forged).models).toEqual([]);
  });

  it('lets a retryable failure wait for another agent, and fails the job after the last attempt', () => {
    const lost = event(1, { type: 'failed', failure: { code: 'connection_lost', side: 'source' } });
    expect(apply(LEASED, lost).state).toMatchObject({ status: 'pending', leaseExpiresAt: null, error: null });
    const last = { ...LEASED, state: { ...LEASED.state, attempts: 3 } };
    expect(apply(last, lost).state).toMatchObject({ status: 'failed', error: { code: 'connection_lost' } });
  });

  it('does not count an attempt that reports the loss of its lease, up to a limit', () => {
    const lost = event(1, { type: 'failed', failure: { code: 'lease_lost' } });
    const third = { ...LEASED, state: { ...LEASED.state, attempts: 3 } };
    expect(apply(third, lost).state).toMatchObject({ status: 'pending', attempts: 2, lostLeases: 1 });
    const last = { ...LEASED, state: { ...LEASED.state, lostLeases: 19 } };
    expect(apply(last, lost).state).toMatchObject({ status: 'failed', error: { code: 'lease_lost' } });
  });

  it('completes a job whose lease has ended and was not given to another agent', () => {
    const released = { ...LEASED, state: { ...LEASED.state, leaseExpiresAt: null, attempts: 0 } };
    const done = apply(released, event(1, { type: 'started' }), event(2, completed));
    expect(done.state).toMatchObject({ status: 'completed' });
  });

  it('names the table, the column and the SQLSTATE of a failure', () => {
    const failed = event(1, {
      type: 'failed',
      failure: {
        code: 'constraint_violation',
        side: 'target',
        tableIndex: 0,
        columnIndex: 0,
        constraintKind: 'unique',
        sqlstate: '23505',
      },
    });
    const { error } = apply(LEASED, failed).state;
    expect(error?.code).toBe('constraint_violation');
    expect(error?.message).toContain('column "name" of table "customers"');
    expect(error?.message).toContain('a unique constraint');
    expect(error?.message).toContain('SQLSTATE 23505');
  });

  it('reports an unknown failure code as "internal"', () => {
    expect(
      apply(LEASED, event(1, { type: 'failed', failure: { code: 'constructor' } })).state.error?.code,
    ).toBe('internal');
  });

  it('ignores progress of tables outside the job and invalid counts', () => {
    const odd = apply(
      LEASED,
      event(1, progress(7, 5)),
      event(2, progress(0, -1)),
      event(3, progress(0, 2 ** 60)),
    );
    expect(odd.tables).toEqual(LEASED.tables);
  });
});
