import { CheckFailure, CheckReport, type CheckResult, CheckSkipped } from './check-report.js';

function reporting(limits?: { stepMs: number; totalMs: number }) {
  const printed: CheckResult[] = [];
  return {
    printed,
    report: new CheckReport(
      (result) => printed.push(result),
      () => undefined,
      limits,
    ),
  };
}

describe('a report of checks', () => {
  it('returns what a step found, and prints each result when it is known', async () => {
    const { printed, report } = reporting();
    expect(await report.step('one', async () => ({ facts: 'fine', value: 1 }))).toBe(1);
    expect(printed).toEqual([{ step: 'one', state: 'ok', facts: 'fine', remedy: null }]);
    expect(await report.step('two', async () => ({ facts: 'old', value: 2, warning: 'renew it' }))).toBe(2);
    expect(printed[1]).toEqual({ step: 'two', state: 'warn', facts: 'old', remedy: 'renew it' });
    expect(report.hasFailed).toBe(false);
  });

  it('returns undefined for a step that fails or is skipped', async () => {
    const { printed, report } = reporting();
    const failing = report.step('one', () => Promise.reject(new CheckFailure('wrong', 'correct it')));
    expect(await failing).toBeUndefined();
    expect(await report.step('two', () => Promise.reject(new CheckSkipped('because')))).toBeUndefined();
    expect(printed).toEqual([
      { step: 'one', state: 'fail', facts: 'wrong', remedy: 'correct it' },
      { step: 'two', state: 'skip', facts: 'because', remedy: null },
    ]);
    expect(report.hasFailed).toBe(true);
  });

  it('does not print the message of an unexpected error, because it may quote a value', async () => {
    const { printed, report } = reporting();
    await report.step('one', () => Promise.reject(Object.assign(new Error('secret'), { code: 'EIO' })));
    expect(printed).toEqual([
      {
        step: 'one',
        state: 'fail',
        facts: 'an unexpected error: EIO',
        remedy: 'report this with the version of the program',
      },
    ]);
  });

  it('ends a step that does not end by itself, and aborts its signal', async () => {
    const { printed, report } = reporting({ stepMs: 10, totalMs: 60_000 });
    let ended: AbortSignal | undefined;
    await report.step('one', (signal) => {
      ended = signal;
      return new Promise<never>(() => undefined);
    });
    expect(ended?.aborted).toBe(true);
    expect(printed[0]).toMatchObject({
      state: 'fail',
      facts: 'no result within 0.01 s',
      remedy: 'check that a firewall allows the connection, and that the server is not overloaded',
    });
  });

  it('skips the steps that would begin after the time limit of all steps', async () => {
    const { printed, report } = reporting({ stepMs: 60_000, totalMs: -1 });
    let hasBegun = false;
    await report.step('one', async () => {
      hasBegun = true;
      return { facts: 'fine', value: 1 };
    });
    expect([hasBegun, printed[0]?.state, printed[0]?.facts]).toEqual([
      false,
      'skip',
      expect.stringContaining('for all steps is over'),
    ]);
  });
});
