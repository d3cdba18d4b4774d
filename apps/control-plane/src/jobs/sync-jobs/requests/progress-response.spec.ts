import fc from 'fast-check';

import { throughputAfter, knownPhases } from '../events/job-throughput.js';
import { toProgressResponse, toVerificationResponse, type ReportedJob } from './progress-response.js';
import { SYNC_PHASES } from '@understudy/sync-job';
import { PENDING_TABLE, type TableState } from '../sync-job.js';
import { totalsOf } from '../tables/table-totals.js';
import { WORK_STATUSES } from '../../../agents/agent-work/leases/work-state.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const table: fc.Arbitrary<TableState> = fc.record({
  status: fc.constantFrom('pending', 'copying', 'completed'),
  rowsProcessed: count,
  rowsTotal: fc.option(count),
  bytesProcessed: count,
  bytesTotal: fc.option(count),
});
const job: fc.Arbitrary<ReportedJob> = fc.record({
  status: fc.constantFrom(...WORK_STATUSES),
  throughput: fc.option(
    fc.record({
      phase: fc.option(fc.constantFrom(...SYNC_PHASES)),
      rowsPerSecond: count,
      bytesPerSecond: count,
      estimatedEnd: fc.option(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
    }),
  ),
  phases: fc.array(fc.record({ phase: fc.constantFrom(...SYNC_PHASES), durationMs: count })),
  totals: fc.array(table, { maxLength: 5 }).map(totalsOf),
  isWaiting: fc.boolean(),
});
const running = (throughput: ReportedJob['throughput'], more: Partial<ReportedJob> = {}) =>
  toProgressResponse(
    {
      status: 'running',
      throughput,
      phases: [],
      totals: totalsOf([PENDING_TABLE]),
      isWaiting: false,
      ...more,
    },
    { now: NOW },
  );
const COPYING = {
  phase: 'copying',
  rowsPerSecond: 5,
  bytesPerSecond: 50,
  estimatedEnd: '2026-01-01T00:00:09.000Z',
} as const;

describe('toProgressResponse', () => {
  it('returns safe integers, and no estimated end in the past', () => {
    fc.assert(
      fc.property(job, (reported) => {
        const { phase, estimated_end, build, ...counts } = toProgressResponse(reported, { now: NOW });
        expect(build).toBeNull();
        for (const value of Object.values(counts)) {
          expect(value === null || (Number.isSafeInteger(value) && value >= 0)).toBe(true);
        }
        if (estimated_end !== null) expect(new Date(estimated_end) >= NOW).toBe(true);
        if (reported.status !== 'running' || reported.isWaiting) expect(phase).toBeNull();
      }),
    );
  });

  it('contains a throughput and an estimated end only while rows are copied', () => {
    expect(running(COPYING)).toMatchObject({
      phase: 'copying',
      rows_per_second: 5,
      bytes_per_second: 50,
      estimated_end: COPYING.estimatedEnd,
    });
    const none = { rows_per_second: null, bytes_per_second: null, estimated_end: null };
    expect(running({ ...COPYING, phase: 'indexing' })).toMatchObject({ phase: 'indexing', ...none });
    expect(running(COPYING, { isWaiting: true })).toMatchObject({ phase: null, ...none });
    expect(running(COPYING, { status: 'failed' })).toMatchObject({ phase: null, ...none });
    expect(running({ ...COPYING, estimatedEnd: '2025-12-31T23:59:59.000Z' }).estimated_end).toBeNull();
  });

  it('contains the phases of a build while it runs, without an estimated end in the past', () => {
    const build = [
      { phase: 'rows', state: 'completed', done: 7, total: 7, estimatedEnd: null },
      { phase: 'indexes', state: 'running', done: 1, total: 2, estimatedEnd: COPYING.estimatedEnd },
      { phase: 'keys', state: 'pending', done: 0, total: null, estimatedEnd: null },
    ] as const;
    const throughput = { ...COPYING, phase: 'verifying', build } as const;
    expect(running(throughput).build).toEqual([
      { phase: 'rows', status: 'completed', done: 7, total: 7, estimated_end: null },
      { phase: 'indexes', status: 'running', done: 1, total: 2, estimated_end: COPYING.estimatedEnd },
      { phase: 'keys', status: 'pending', done: 0, total: null, estimated_end: null },
    ]);
    expect(running(throughput, { isWaiting: true }).build).toBeNull();
    const late = build.map((phase) => ({ ...phase, estimatedEnd: '2025-12-31T23:59:59.000Z' }));
    const { build: after } = running({ ...throughput, build: late });
    expect(after?.map(({ estimated_end: end }) => end)).toEqual([null, null, null]);
  });

  it('contains the throughput of the whole copy for a completed job', () => {
    const totals = totalsOf([{ ...PENDING_TABLE, rowsProcessed: 1000, bytesProcessed: 90_000 }]);
    const completed = {
      status: 'completed',
      totals,
      phases: [{ phase: 'copying', durationMs: 500 }],
    } as const;
    expect(running(null, completed)).toMatchObject({ rows_per_second: 2000, bytes_per_second: 180_000 });
    expect(running(null, { ...completed, phases: [] }).rows_per_second).toBeNull();
  });

  it('contains no total number of rows while that of one table is unknown', () => {
    const known = { ...PENDING_TABLE, rowsTotal: 4, bytesTotal: 8 };
    expect(running(COPYING, { totals: totalsOf([known, known]) })).toMatchObject({
      rows_total: 8,
      bytes_total: 16,
    });
    expect(running(COPYING, { totals: totalsOf([known, PENDING_TABLE]) })).toMatchObject({
      rows_total: null,
      bytes_total: null,
    });
  });
});

describe('throughputAfter', () => {
  const report = { type: 'progress', tables: [], rowsPerSecond: 1, bytesPerSecond: 2 } as const;

  it('returns an estimated end within a year, or none, for any report of an agent', () => {
    fc.assert(
      fc.property(fc.double(), (remainingMs) => {
        const end = throughputAfter(null, { ...report, phase: 'copying', remainingMs }, NOW)?.estimatedEnd;
        const within = remainingMs >= 0 && remainingMs <= 365 * 24 * 3_600_000;
        expect(end === null).toBe(!within);
      }),
    );
  });

  it('keeps the phases of a build in their order, with the estimated end of the running one', () => {
    const build = [
      { phase: 'indexes', state: 'running', done: 1, total: 2, remainingMs: 9_000 },
      { phase: 'objects', state: 'completed', done: 4, remainingMs: 1 },
      { phase: 'objects', state: 'pending', done: 0 },
    ] as const;
    expect(throughputAfter(null, { ...report, build }, NOW)?.build).toEqual([
      { phase: 'objects', state: 'completed', done: 4, total: null, estimatedEnd: null },
      { phase: 'indexes', state: 'running', done: 1, total: 2, estimatedEnd: '2026-01-01T00:00:09.000Z' },
    ]);
    expect(throughputAfter(null, report, NOW)).not.toHaveProperty('build');
  });

  it('keeps each known phase once', () => {
    expect(throughputAfter(null, { ...report, phase: 'constructor' }, NOW)?.phase).toBeNull();
    const reported = [
      { phase: 'copying', durationMs: 1 },
      { phase: 'brooding', durationMs: 2 },
      { phase: 'copying', durationMs: 3 },
    ];
    expect(knownPhases(reported)).toEqual([{ phase: 'copying', durationMs: 3 }]);
  });
});

describe('toVerificationResponse', () => {
  it('returns ok only if every check is ok, and null without a verification', () => {
    const check = { check: 'sequences' as const, table: 't', column: null, lookedAt: 1, rows: null };
    const of = (...oks: boolean[]) =>
      toVerificationResponse({ checks: oks.map((ok) => ({ ...check, ok })) })?.ok;
    expect([of(), of(true, true), of(true, false)]).toEqual([true, true, false]);
    expect(toVerificationResponse(null)).toBeNull();
  });
});
