import { SyncJobError } from '@understudy/sync-job';
import { FailureList, roundedRows } from './failure-list.js';

describe('roundedRows', () => {
  it.each([
    [0, 0],
    [1, 0],
    [9, 0],
    [10, 10],
    [99, 99],
    [100, 100],
    [101, 100],
    [106, 110],
    [999, 1_000],
    [123_456, 120_000],
    [9_876_543_210, 9_900_000_000],
  ])('rounds %d to %d', (rows, expected) => {
    expect(roundedRows(rows)).toBe(expected);
  });
});

describe('FailureList', () => {
  it('passes the error of a failed check on, because only a local log may contain its cause', async () => {
    const logged: unknown[] = [];
    const failures = new FailureList((error) => logged.push(error.cause));
    const cause = new Error('tables[0].columns.town: no word of the model is new');
    const check = () => {
      throw new SyncJobError({ code: 'model_exhausted' }, { cause });
    };
    expect(await failures.collect(check)).toBeUndefined();
    expect([failures.list, logged]).toEqual([[{ code: 'model_exhausted' }], [cause]]);
  });
});
