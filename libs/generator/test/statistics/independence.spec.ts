import { compileDefinition } from '../../src/compile/compile-definition.js';
import { deriveKey, RandomStream, rootKey } from '@understudy/random';
import {
  chiSquarePValue,
  correlationPValue,
  expectPlausible,
  FALSE_ALARM,
  independencePValue,
} from '../../../random/test/statistics/p-values.js';
import { svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';
import { eachRecord, N, sampleOf } from './sample.js';

const { floor, min } = Math; // the test runner intercepts each lookup of a global
const CELLS = 16;
const share: Json = svc('float_between', { precision: 9 });

/**
 * Expects that two samples of [0, 1) do not correlate. Then divides [0, 1) into 16 equal bins, and expects
 * that the bins of the two samples are independent.
 */
function expectIndependent(x: Float64Array, y: Float64Array): void {
  expectPlausible(correlationPValue(x, y));
  expectPlausible(independencePValue(table(x, y), CELLS));
}

function table(x: Float64Array, y: Float64Array): Float64Array {
  const counts = new Float64Array(CELLS * CELLS);
  for (let i = 0; i < x.length; i += 1) {
    const at = cellOf(x[i] ?? NaN) * CELLS + cellOf(y[i] ?? NaN);
    addOne(counts, at);
  }
  return counts;
}

function addOne(counts: Float64Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

function cellOf(value: number): number {
  return min(CELLS - 1, floor(value * CELLS));
}

/** Returns each value paired with the value `lag` rows before it. */
function lagged(values: Float64Array, lag: number): [Float64Array, Float64Array] {
  return [values.subarray(0, values.length - lag), values.subarray(lag)];
}

describe('independence holds for', () => {
  it('columns of one schema with very similar names', () => {
    const names = ['a', 'b', 'a1', ''];
    const columns = names.map(() => new Float64Array(N));
    eachRecord(Object.fromEntries(names.map((name) => [name, share])), (values, row) => {
      values.forEach((value, i) => {
        (columns[i] as Float64Array)[row] = Number(value);
      });
    });
    columns.forEach((x, i) => {
      for (const y of columns.slice(i + 1)) expectIndependent(x, y);
    });
  });

  it('rows at distances of 1, 2 and 256', () => {
    const values = sampleOf(share, { count: N + 256 });
    for (const lag of [1, 2, 256]) expectIndependent(...lagged(values, lag));
  });

  it('rows at a distance of 2^32', () => {
    expectIndependent(sampleOf(share), sampleOf(share, { from: 2 ** 32 }));
  });

  it.each([0, 2 ** 32 - 1, 2 ** 53 - 2])('the rows of seed %d and the next', (seed) => {
    expectIndependent(sampleOf(share, { seed }), sampleOf(share, { seed: seed + 1 }));
  });

  // A service that takes its seeds from a counter generates this sequence: the first value of a column for
  // consecutive seeds.
  it('the first rows of consecutive seeds', () => {
    const key = (seed: number): ReturnType<typeof rootKey> => deriveKey(rootKey('1', seed), 'step it');
    const random = new RandomStream();
    const values = new Float64Array(N + 1);
    for (let seed = 0; seed <= N; seed += 1) values[seed] = random.seek(key(seed), 0).float53();
    expectIndependent(...lagged(values, 1));
  });

  it('the attempts at one value', () => {
    const plan = compileDefinition(share, { ...OPTIONS, path: 'it' });
    const key = deriveKey(rootKey('1', 3), 'rule');
    const attempts = [0, 1, 2, 200].map((attempt) => {
      const values = new Float64Array(N);
      for (let row = 0; row < N; row += 1) values[row] = Number(plan.value(key, 0, row, attempt, []));
      return values;
    });
    attempts.forEach((x, i) => {
      for (const y of attempts.slice(i + 1)) expectIndependent(x, y);
    });
  });

  it('the words of one stream', () => {
    const random = new RandomStream();
    const key = deriveKey(rootKey('1', 5), 'words');
    const words = Array.from({ length: 5 }, () => new Float64Array(N));
    for (let row = 0; row < N; row += 1) {
      random.seek(key, row);
      for (const word of words) word[row] = random.uint32() / 2 ** 32;
    }
    words.forEach((x, i) => {
      for (const y of words.slice(i + 1)) expectIndependent(x, y);
    });
  });

  it('the items of a repeat', () => {
    const items = [0, 1, 2].map(() => new Float64Array(N));
    eachRecord({ it: { repeat: { count: 3, of: share } } }, ([value], row) => {
      (value as number[]).forEach((item, i) => {
        (items[i] as Float64Array)[row] = item;
      });
    });
    const [a, b, c] = items as [Float64Array, Float64Array, Float64Array];
    expectIndependent(a, b);
    expectIndependent(b, c);
    // Compares the last item of a row with the first item of the next row.
    expectIndependent(c.subarray(0, N - 1), a.subarray(1));
  });

  it('whether a value is null, and the value it would have had', () => {
    const free = sampleOf(share);
    const counts = new Float64Array(2 * CELLS);
    eachRecord({ it: { ...share, nullable: 0.3 } }, ([value], row) => {
      const at = (value === null ? CELLS : 0) + cellOf(free[row] ?? NaN);
      addOne(counts, at);
    });
    expectPlausible(independencePValue(counts, 2));
  });

  it('[2.9.6/8] the gate of an event, its delay, the instant of its anchor and the gate of another event', () => {
    const day = 86_400_000;
    const start = Date.UTC(2024, 0, 1);
    const anchor = { name: 'a', range: { start: '2024-01-01', end: '2024-01-02' } };
    const next = { name: 'b', after: 'a', delay: { max: '1d' } };
    const a = new Float64Array(N);
    const b = new Float64Array(N);
    eachRecord({ it: { type: 'event_sequence', events: [anchor, next] } }, ([value], row) => {
      const [first = NaN, second = NaN] = Object.values(value as Record<string, string>).map(Date.parse);
      a[row] = (first - start) / (day + 1);
      b[row] = (second - first) / (day + 1);
    });
    expectIndependent(a, b);

    const probability = 0.4;
    const events = [anchor, { ...next, probability }, { ...next, name: 'c', probability }];
    const gates = new Float64Array(4);
    const byAnchor = new Float64Array(2 * CELLS);
    const byDelay = new Float64Array(2 * CELLS);
    eachRecord({ it: { type: 'event_sequence', events } }, ([value], row) => {
      const { b: second, c: third } = value as Record<string, string | null>;
      const happened = second === null ? 0 : 1;
      addOne(gates, 2 * happened + (third === null ? 0 : 1));
      addOne(byAnchor, CELLS * happened + cellOf(a[row] ?? NaN));
      addOne(byDelay, CELLS * happened + cellOf(b[row] ?? NaN));
    });
    expectPlausible(
      chiSquarePValue(
        [(gates[2] ?? 0) + (gates[3] ?? 0), (gates[0] ?? 0) + (gates[1] ?? 0)],
        [probability, 1 - probability],
      ),
    );
    expectPlausible(independencePValue(gates, 2));
    expectPlausible(independencePValue(byAnchor, 2));
    expectPlausible(independencePValue(byDelay, 2));
  });
});

describe('these tests detect', () => {
  // A row number that is used directly as the state gives correlated values. RandomStream.seek mixes the bits
  // to prevent that.
  it.each([1, 4])('sfc32 with the row number as its state, after %d steps', (steps) => {
    const values = new Float64Array(N + 1);
    for (let row = 0; row <= N; row += 1) values[row] = rawSfc32(row, steps);
    const [x, y] = lagged(values, 1);
    expect(correlationPValue(x, y)).toBeLessThan(FALSE_ALARM);
  });

  it('two columns that share a stream, or a function of it', () => {
    const values = sampleOf(share);
    expect(correlationPValue(values, values)).toBeLessThan(FALSE_ALARM);
    const folded = values.map((x) => (x * 8) % 1);
    expect(independencePValue(table(values, folded), CELLS)).toBeLessThan(FALSE_ALARM);
  });
});

/** Computes the steps of RandomStream without mixing the seed. Returns a number in [0, 1). */
function rawSfc32(seed: number, steps: number): number {
  let [a, b, c, counter, result] = [seed, 0, 0, 1, 0];
  for (let step = 0; step < steps; step += 1) {
    result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
  }
  return (result >>> 0) / 2 ** 32;
}
