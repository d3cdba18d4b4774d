import { BUILD_PHASES } from '@understudy/sync-job';
import fc from 'fast-check';
import { BuildMeter, type BuildSteps } from './build-meter.js';

const ROWS = { done: 5, total: 10, remainingMs: 7 };

/** Returns a meter of two tables with 0 and 8192 bytes, and a clock that the test sets. */
function metered() {
  let nowMs = 1_000;
  const meter = new BuildMeter(
    () => nowMs,
    (tableIndex) => 8192 * tableIndex,
    () => undefined,
  );
  const phase = (name: string) => meter.report(ROWS)?.find((one) => one.phase === name);
  return { meter, phase, pass: (ms: number) => (nowMs += ms) };
}

describe('BuildMeter', () => {
  it('reports nothing before the first phase, and then all phases in their order', () => {
    const { meter } = metered();
    expect(meter.report(ROWS)).toBeUndefined();
    meter.enter('rows');
    expect(meter.report(ROWS)).toEqual([
      { phase: 'objects', state: 'completed', done: 0 },
      { phase: 'rows', state: 'running', ...ROWS },
      { phase: 'indexes', state: 'pending', done: 0 },
      { phase: 'keys', state: 'pending', done: 0 },
      { phase: 'views', state: 'pending', done: 0 },
      { phase: 'swap', state: 'pending', done: 0, total: 1 },
    ]);
  });

  it('has no estimate until a step of the running phase is completed, and weighs steps by their tables', () => {
    const { meter, phase, pass } = metered();
    meter.expect([
      { phase: 'indexes', tableIndex: 0, total: 1, done: 0 },
      { phase: 'indexes', tableIndex: 1, total: 2, done: 0 },
    ]);
    meter.enter('indexes');
    pass(300);
    expect(phase('indexes')).toEqual({ phase: 'indexes', state: 'running', done: 0, total: 3 });
    meter.completed('indexes', 1);
    expect(phase('indexes')).toMatchObject({ done: 1, remainingMs: 450 });
    meter.enter('keys');
    expect(phase('indexes')).toEqual({ phase: 'indexes', state: 'completed', done: 1, total: 3 });
  });

  it('counts the steps of earlier attempts as done, but not as throughput', () => {
    const { meter, phase, pass } = metered();
    meter.expect([{ phase: 'keys', total: 10, done: 8 }]);
    meter.enter('keys');
    pass(100);
    expect(phase('keys')).not.toHaveProperty('remainingMs');
    meter.completed('keys');
    expect(phase('keys')).toMatchObject({ done: 9, total: 10, remainingMs: 100 });
  });

  it('estimates whole numbers within a year, and only for the running phase', () => {
    const counted = fc.record(
      {
        phase: fc.constantFrom(...BUILD_PHASES.filter((phase) => phase !== 'rows')),
        tableIndex: fc.nat(2),
        total: fc.nat({ max: 20_000 }),
        done: fc.constant(0),
      },
      { requiredKeys: ['phase', 'total', 'done'] },
    );
    const selector = ({ phase, tableIndex }: BuildSteps) => `${phase} ${tableIndex}`;
    fc.assert(
      fc.property(
        fc.uniqueArray(counted, { selector }),
        fc.constantFrom(...BUILD_PHASES),
        fc.integer(),
        (steps, current, ms) => {
          const { meter, pass } = metered();
          meter.expect(steps);
          meter.enter(current);
          pass(ms);
          for (const { phase, tableIndex, total } of steps) if (total > 0) meter.completed(phase, tableIndex);
          for (const { phase, remainingMs } of meter.report({ done: 0 }) ?? []) {
            if (remainingMs === undefined) continue;
            expect(phase).toBe(current);
            expect(Number.isSafeInteger(remainingMs) && remainingMs >= 0).toBe(true);
            expect(remainingMs).toBeLessThanOrEqual(365 * 24 * 3_600_000);
          }
        },
      ),
    );
  });
});
