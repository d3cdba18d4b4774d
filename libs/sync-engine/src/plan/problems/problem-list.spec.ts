import { SyncJobError, type SyncFailure } from '@understudy/sync-job';
import { MAX_PROBLEMS, ProblemList } from './problem-list.js';

function thrownBy(list: ProblemList): SyncFailure | undefined {
  try {
    list.throwIfAny();
    return undefined;
  } catch (error) {
    return (error as SyncJobError).failure;
  }
}

describe('ProblemList', () => {
  it('takes over the problems of another list, and counts those that the other list omitted', () => {
    const inner = new ProblemList();
    for (let i = 0; i < MAX_PROBLEMS + 20; i++) inner.add({ code: 'column_unlisted', tableIndex: 1 });
    const list = new ProblemList();
    list.try(() => {
      inner.throwIfAny();
    });
    list.add({ code: 'table_not_found', tableIndex: 0 });
    const failure = thrownBy(list);
    expect(failure).toMatchObject({ code: 'table_not_found', problemCount: MAX_PROBLEMS + 21 });
    expect(failure?.problems).toHaveLength(MAX_PROBLEMS);
  });

  it('collects the problems that a check finds, and rethrows errors that prevented the check', async () => {
    const list = new ProblemList();
    expect(await list.collect(() => Promise.resolve('fine'))).toBe('fine');
    const lost = new SyncJobError({ code: 'connection_lost', side: 'source' });
    await expect(list.collect(() => Promise.reject(lost))).rejects.toBe(lost);
    const refused = new SyncJobError({ code: 'permission_denied', sqlstate: '42501' });
    expect(() =>
      list.try(() => {
        throw refused;
      }),
    ).toThrow(refused);
    expect(list.isEmpty).toBe(true);
  });

  it('throws a failure without a list if there is one problem without further details', () => {
    const list = new ProblemList();
    expect(thrownBy(list)).toBeUndefined();
    list.add({ code: 'rule_invalid', tableIndex: 2, columnIndex: 1 });
    expect(thrownBy(list)).toEqual({ code: 'rule_invalid', tableIndex: 2, columnIndex: 1 });
  });
});
