import type { ProgressReport } from '@understudy/sync-job';
import { JsonLines } from '../../terminal/json-lines.js';
import { JsonReport } from './json-report.js';

describe('the JSON lines of a job', () => {
  it('have a table again only when it has changed', () => {
    const written: string[] = [];
    let ms = 0;
    const lines = new JsonLines({ write: (piece) => written.push(String(piece)) > 0 }, () => (ms += 1000));
    const report = new JsonReport(['a', 'b'], lines);
    const table = (tableIndex: number, rowsProcessed: number) =>
      ({
        tableIndex,
        rowsProcessed,
        rowsTotal: 9,
        bytesProcessed: 0,
        bytesTotal: 0,
        state: 'copying',
      }) as const;
    const progress = (...rows: readonly number[]): ProgressReport => ({
      ...{ phase: 'copying', rowsPerSecond: 0, bytesPerSecond: 0 },
      tables: rows.map((count, index) => table(index, count)),
    });
    for (const one of [progress(0, 0), progress(0, 4), progress(0, 4), progress(1, 4)]) report.progress(one);
    const tables = written.map((text) => (JSON.parse(text) as { tables: { table: string }[] }).tables);
    expect(tables.map((some) => some.map((one) => one.table))).toEqual([['a', 'b'], ['b'], [], ['a']]);
  });
});
