import fc from 'fast-check';
import type { ProgressReport } from '@understudy/sync-job';
import { ProgressMeter } from './progress-meter.js';

/** Returns a meter, a clock that the test sets, and the reports with their times. */
function metered() {
  const reports: (ProgressReport & { atMs: number })[] = [];
  let nowMs = 1_000_000;
  const reporter = {
    report: (report: ProgressReport) => {
      reports.push({ ...report, atMs: nowMs });
      return Promise.resolve();
    },
  };
  const meter = new ProgressMeter(reporter, () => nowMs);
  const pass = async (ms: number) => {
    await meter.flush();
    nowMs += ms;
    meter.tick();
    await meter.flush();
  };
  return { meter, reports, pass };
}

describe('ProgressMeter', () => {
  it('reports at most once a second, and never reports a smaller count than before', async () => {
    const step = fc.record({ ms: fc.nat(1500), rows: fc.nat(1000), table: fc.nat(1) });
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        const { meter, reports, pass } = metered();
        meter.expect([
          { rows: 5000, bytes: 500_000 },
          { rows: 0, bytes: 0 },
        ]);
        meter.enter('copying');
        for (const { ms, rows, table } of steps) {
          meter.moved(table, rows, rows * 90);
          await pass(ms);
        }
        reports.slice(1).forEach((report, i) => {
          const before = reports[i];
          expect(report.atMs - (before?.atMs ?? 0)).toBeGreaterThanOrEqual(1000);
          report.tables.forEach(({ rowsProcessed, rowsTotal }, table) => {
            expect(rowsProcessed).toBeGreaterThanOrEqual(before?.tables[table]?.rowsProcessed ?? 0);
            expect(rowsTotal).toBeGreaterThanOrEqual(rowsProcessed);
          });
        });
      }),
      { numRuns: 50 },
    );
  });

  it('reports throughput and remaining time while rows move, then zero throughput once, then nothing', async () => {
    const { meter, reports, pass } = metered();
    meter.expect([{ rows: 1000, bytes: 92_000 }]);
    meter.enter('copying');
    for (let second = 0; second < 5; second++) {
      meter.moved(0, 100, 9_200);
      await pass(1000);
    }
    expect(reports.at(-1)).toMatchObject({ phase: 'copying', rowsPerSecond: 100, bytesPerSecond: 9200 });
    expect(reports.at(-1)?.remainingMs).toBeGreaterThan(4000);
    expect(reports.at(-1)?.remainingMs).toBeLessThan(7000);
    for (let second = 0; second < 30; second++) await pass(1000);
    expect(reports.at(-1)).toMatchObject({ rowsPerSecond: 0, bytesPerSecond: 0 });
    expect(reports.at(-1)).not.toHaveProperty('remainingMs');
    expect(reports.length).toBeLessThan(20);
  });

  it('counts rows of an earlier attempt as done, but not as throughput', async () => {
    const { meter, reports, pass } = metered();
    meter.expect([{ rows: 1000, bytes: 92_000 }]);
    meter.moved(0, 900, 90_000);
    meter.enter('copying');
    meter.moved(0, 10, 920);
    await pass(1000);
    expect(reports.at(-1)?.tables[0]).toMatchObject({ rowsProcessed: 910, rowsTotal: 1000 });
    expect(reports.at(-1)?.rowsPerSecond).toBe(10);
  });

  it('returns the duration of each phase, in the order in which they began', async () => {
    const { meter, pass } = metered();
    await pass(300);
    meter.enter('copying');
    await pass(2000);
    meter.enter('indexing');
    await pass(500);
    meter.enter('copying');
    await pass(1);
    expect(meter.phases()).toEqual([
      { phase: 'preflight', durationMs: 300 },
      { phase: 'copying', durationMs: 2001 },
      { phase: 'indexing', durationMs: 500 },
    ]);
  });

  it('throws the error of a failed report when it is flushed', async () => {
    const lost = new Error('the journal is full');
    const meter = new ProgressMeter({ report: () => Promise.reject(lost) }, () => 0);
    meter.expect([{ rows: 1, bytes: 1 }]);
    await expect(meter.flush()).rejects.toBe(lost);
  });
});
