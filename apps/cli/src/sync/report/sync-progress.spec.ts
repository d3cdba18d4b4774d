import type { BuildProgress, ProgressReport } from '@understudy/sync-job';
import { syncProgressText } from './sync-progress.js';

const COPIED = { rowsProcessed: 10, rowsTotal: 10, bytesProcessed: 90, bytesTotal: 90 } as const;
const REPORT: ProgressReport = {
  tables: [{ tableIndex: 0, state: 'indexing', ...COPIED }],
  ...{ phase: 'verifying', rowsPerSecond: 0, bytesPerSecond: 0 },
};
const textOf = (...build: BuildProgress[]) => syncProgressText({ ...REPORT, build }, ['people'], 200);

describe('syncProgressText', () => {
  it('shows the running phase of a build with its steps and its estimate', () => {
    const running = { phase: 'indexes', state: 'running', done: 12, total: 30 } as const;
    expect(textOf({ ...running, remainingMs: 19_000 })).toBe(
      'building indexes [########············]  40 %  12 of 30 steps, 0:19 left',
    );
    expect(textOf({ phase: 'objects', state: 'running', done: 0 })).toBe('building objects 0 steps');
  });

  it('shows the rows while they are copied, and for a job that builds no database', () => {
    const rows = 'verifying [####################] 100 %  10 of 10 rows';
    expect(textOf({ phase: 'rows', state: 'running', done: 10, total: 10 })).toBe(rows);
    expect(syncProgressText(REPORT, ['people'], 200)).toBe(rows);
  });
});
