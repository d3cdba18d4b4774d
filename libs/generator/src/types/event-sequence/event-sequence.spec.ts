import fc from 'fast-check';
import { compileSchema } from '../../compile/compile-schema.js';
import { problems, records, refusal, svc, values, type Json } from '../../../test/schema-harness.js';
import { NOW_MS, OPTIONS } from '../../../test/test-model.js';
import { parseDuration } from './read-events.js';

const sequence = (...events: Json[]): Json => ({ type: 'event_sequence', events });
const made = (count: number, ...events: Json[]): Record<string, string | null>[] =>
  values(sequence(...events), count) as Record<string, string | null>[];
const at = (text: string | null | undefined): number => Date.parse(String(text));
const HOUR = 3_600_000;

describe('event_sequence', () => {
  it('puts its anchor into the range, and each other event within its delay after its predecessor', () => {
    for (const record of made(
      300,
      { name: 'b', after: 'a', delay: { min: '1h', max: '2h' } },
      { name: 'a', base: true, range: { start: '2024-01-01', end: '2024-01-02' } },
      { name: 'c', after: 'b', delay: { min: '0.5d', max: '1w' } },
    )) {
      expect(Object.keys(record)).toEqual(['b', 'a', 'c']);
      expect(record['a']).toMatch(/^2024-01-0(1T\d\d:\d\d:\d\d\.\d{3}|2T00:00:00\.000)Z$/);
      const [first, second, third] = [at(record['a']), at(record['b']), at(record['c'])];
      expect(second - first).toBeGreaterThanOrEqual(HOUR);
      expect(second - first).toBeLessThanOrEqual(2 * HOUR);
      expect(third - second).toBeGreaterThanOrEqual(12 * HOUR);
      expect(third - second).toBeLessThanOrEqual(168 * HOUR);
    }
  });

  it('has the default range of datetime_between, and accepts its bounds in either order', () => {
    for (const { a, b } of made(
      200,
      { name: 'a' },
      { name: 'b', base: true, range: { start: 'now', end: '-1year' } },
    )) {
      expect(at(a)).toBeGreaterThanOrEqual(0);
      expect(at(a)).toBeLessThanOrEqual(Date.UTC(2038, 0, 1));
      expect(at(b)).toBeGreaterThanOrEqual(Date.UTC(2025, 0, 15));
      expect(at(b)).toBeLessThanOrEqual(NOW_MS);
    }
  });

  it.each<[Json | undefined, number]>([
    [undefined, 0],
    [{}, 0],
    [{ min: 90 }, 90_000],
    [{ min: '90', max: '90s' }, 90_000],
    [{ min: '2m', max: 120 }, 120_000],
    [{ min: 0.0004, max: 0.0004 }, 0],
  ])('reads delay %j as %d ms', (delay, ms) => {
    const [record] = made(1, { name: 'a' }, { name: 'b', after: 'a', ...(delay && { delay }) });
    expect(at(record?.['b']) - at(record?.['a'])).toBe(ms);
  });

  it('uses 0 for a delay without min', () => {
    const delays = made(400, { name: 'a' }, { name: 'b', after: 'a', delay: { max: '10s' } }).map(
      ({ a, b }) => at(b) - at(a),
    );
    expect(Math.min(...delays)).toBeLessThan(500);
    expect(Math.max(...delays)).toBeGreaterThan(9500);
  });

  it('skips an event with its probability, and with it all events that follow it', () => {
    const rows = made(
      2000,
      { name: 'a' },
      { name: 'b', after: 'a', probability: 0.25 },
      { name: 'c', after: 'b', delay: { max: '1h' } },
      { name: 'd', after: 'a', probability: 1 },
      { name: 'e', probability: 0 },
      { name: 'f', after: 'e' },
    );
    expect(rows.every(({ b, c }) => (b === null) === (c === null))).toBe(true);
    expect(rows.every(({ a, d, e, f }) => a !== null && d !== null && e === null && f === null)).toBe(true);
    expect(Math.abs(rows.filter(({ b }) => b !== null).length / 2000 - 0.25)).toBeLessThan(0.045);
  });

  it('keeps the instants of events when others are added, moved, made optional or given another delay', () => {
    const a = { name: 'a', range: { start: '2020-01-01', end: '2021-01-01' } };
    const b = { name: 'b', after: 'a', delay: { max: '5d' } };
    const c = { name: 'c', after: 'a', delay: { max: '5d' }, probability: 0.5 };
    const base = made(100, a, b, c);
    const moved = made(100, { name: 'z' }, { ...c, probability: 0.8 }, { name: 'y', after: 'b' }, b, a);
    moved.forEach((record, i) => {
      expect([record['a'], record['b']]).toEqual([base[i]?.['a'], base[i]?.['b']]);
      // With a higher probability, the event happens in more rows. It keeps its instant in the rows in which
      // it already happened.
      if (base[i]?.['c'] !== null) expect(record['c']).toBe(base[i]?.['c']);
    });
    const slower = made(100, a, { ...b, delay: { min: '1d', max: '9d' } }, c);
    expect(slower.map((record) => record['c'])).toEqual(base.map((record) => record['c']));
  });

  it('[2.9.6/1] keeps the order of time for any sequence of events', () => {
    const event = fc.record({
      parent: fc.nat(20),
      anchor: fc.boolean(),
      probability: fc.constantFrom(0.3, 0.9, 1),
      min: fc.nat(1000),
      more: fc.nat(100_000),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 12 }), fc.integer(), (list, shuffle) => {
        const events = list.map(({ parent, anchor, probability, min, more }, i) =>
          i === 0 || anchor
            ? { name: `e${i}`, probability }
            : { name: `e${i}`, after: `e${parent % i}`, probability, delay: { min, max: min + more } },
        );
        const order = [...events].sort(
          (x, y) => ((x.name.length * 7 + shuffle) % 5) - ((y.name.length * 3) % 5),
        );
        for (const record of made(5, ...order)) {
          for (const spec of events) {
            if (!('after' in spec) || spec.after === undefined) continue;
            const [before, time] = [record[spec.after], record[spec.name]];
            if (before === null) expect(time).toBeNull();
            else if (time !== null) {
              expect(at(time) - at(before)).toBeGreaterThanOrEqual(spec.delay.min * 1000);
              expect(at(time) - at(before)).toBeLessThanOrEqual(spec.delay.max * 1000);
            }
          }
        }
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it('accepts names like __proto__ as names of events', () => {
    const names = ['__proto__', 'constructor', 'x'.repeat(10_000), '\u{1f4a5}', ' '];
    const [record] = made(1, ...names.map((name, i) => (i === 0 ? { name } : { name, after: names[i - 1] })));
    expect(Object.keys(record ?? {})).toEqual(names);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

  it('accepts bounds and delays from other generators', () => {
    const rows = records(
      {
        n: svc('int_between', { min: 1, max: 9 }),
        it: sequence(
          { name: 'a', range: { start: '200{{n}}-01-01', end: '200{{n}}-01-01' } },
          { name: 'b', after: 'a', delay: { min: '{{n}}d' } },
        ),
      },
      ['n', 'it'],
      30,
    );
    for (const { n, it } of rows) {
      const { a, b } = it as Record<string, string>;
      expect(a).toBe(`200${String(n)}-01-01T00:00:00.000Z`);
      expect(b).toBe(`200${String(n)}-01-${String(Number(n) + 1).padStart(2, '0')}T00:00:00.000Z`);
    }
  });

  it('warns about a range that ends at the first instant of a day', () => {
    const events = sequence(
      { name: 'a', range: { start: '2026-01-01', end: '2026-01-31' } },
      { name: 'b', range: { start: '-1year', end: 'now' } },
      { name: 'c', after: 'a' },
    );
    const plan = compileSchema({ generators: { it: events }, output: ['it'] }, OPTIONS);
    expect(plan.warnings(1).map(({ path }) => path)).toEqual(['generators.it.events[0].range.end']);
  });

  it('reaches the last instant of the year 9999 and no later one', () => {
    const late = { name: 'a', range: { start: '9999-12-31', end: '9999-12-31' } };
    const [record] = made(1, late, { name: 'b', after: 'a', delay: { min: '86399.999' } });
    expect(record?.['b']).toBe('9999-12-31T23:59:59.999Z');
    expect(problems(sequence(late, { name: 'b', after: 'a', delay: { max: '1d' } }))).toEqual([
      { path: 'generators.it.events[1].delay', message: expect.stringContaining('year 9999') as string },
    ]);
  });

  it.each<[unknown, string, string]>([
    [undefined, 'events', 'is required'],
    [[], 'events', 'at least one event'],
    [{}, 'events', 'must be an array'],
    [['a'], 'events[0]', 'object with a name'],
    [[{}], 'events[0].name', 'is required'],
    [[{ name: '' }], 'events[0].name', 'must not be empty'],
    [[{ name: 'a' }, { name: 'a' }], 'events[1].name', 'another event'],
    [[{ name: 'a', afer: 'b' }], 'events[0].afer', 'did you mean "after"?'],
    [[{ name: 'ordered' }, { name: 'b', after: 'orderd' }], 'events[1].after', 'did you mean "ordered"?'],
    [
      [
        { name: 'a', after: 'b' },
        { name: 'b', after: 'a' },
      ],
      'events',
      'needs an anchor',
    ],
    [[{ name: 'a', after: 'a' }], 'events', 'needs an anchor'],
    [
      [{ name: 'x' }, { name: 'w', after: 'a' }, { name: 'a', after: 'b' }, { name: 'b', after: 'a' }],
      'events[2].after',
      'cycle of 2 events',
    ],
    [[{ name: 'x' }, { name: 'a', after: 'a' }], 'events[1].after', 'cycle of 1 event'],
    [[{ name: 'x' }, { name: 'a', base: true, after: 'x' }], 'events[1].after', 'contradicts base'],
    [[{ name: 'x', delay: { min: 1 } }], 'events[0].delay', 'needs after'],
    [[{ name: 'x' }, { name: 'a', after: 'x', range: {} }], 'events[1].range', 'is for anchors'],
    [
      [{ name: 'x', range: { start: 'soon' } }],
      'events[0].range.start',
      '2026-01-31, 2026-01-31T12:00:00Z, 2026-01 or 2026',
    ],
    [[{ name: 'x', range: { from: 'now' } }], 'events[0].range.from', 'there are start, end'],
    [[{ name: 'x', range: 'now' }], 'events[0].range', 'must be an object'],
    [[{ name: 'x', probability: 1.5 }], 'events[0].probability', 'from 0 to 1'],
    [[{ name: 'x', probability: '1' }], 'events[0].probability', 'must be a number'],
    [
      [{ name: 'x' }, { name: 'a', after: 'x', delay: { min: '2h', max: '90m' } }],
      'events[1].delay.min',
      'longer',
    ],
    [
      [{ name: 'x' }, { name: 'a', after: 'x', delay: { min: '-1d' } }],
      'events[1].delay.min',
      'from 0 and a unit',
    ],
    [
      [{ name: 'x' }, { name: 'a', after: 'x', delay: { max: '2 months' } }],
      'events[1].delay.max',
      's, m, h, d or w',
    ],
    [[{ name: 'x' }, { name: 'a', after: 'x', delay: { max: 1e308 } }], 'events[1].delay', 'year 9999'],
    [[{ name: 'x' }, { name: 'a', after: 'x', delay: '1d' }], 'events[1].delay', 'must be an object'],
  ])('refuses %j', (events, path, message) => {
    expect(problems({ type: 'event_sequence', ...(events === undefined ? {} : { events }) })).toEqual([
      { path: `generators.it.${path}`, message: expect.stringContaining(message) as string },
    ]);
  });

  it('has at most 1,000 events, even if they form one chain', () => {
    const chain = (count: number): Json[] =>
      Array.from({ length: count }, (_, i) =>
        i === 0 ? { name: 'e0' } : { name: `e${i}`, after: `e${i - 1}` },
      );
    expect(Object.keys(made(1, ...chain(1000).reverse())[0] ?? {})).toHaveLength(1000);
    expect(refusal({ it: sequence(...chain(1001)) })).toMatchObject({
      code: 'limit_exceeded',
      problems: [{ path: 'generators.it.events' }],
    });
  });
});

describe('parseDuration', () => {
  it.each<[unknown, number | undefined]>([
    ['1s', 1000],
    ['1', 1000],
    [1, 1000],
    [0, 0],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['1w', 604_800_000],
    [' 3 d ', 259_200_000],
    ['0.0005s', 1],
    ['', undefined],
    ['d', undefined],
    ['-1d', undefined],
    [-1, undefined],
    ['1D', undefined],
    ['1e3', undefined],
    ['1h30m', undefined],
    [null, undefined],
    [true, undefined],
    [{}, undefined],
  ])('%j', (value, ms) => {
    expect(parseDuration(value)).toBe(ms);
  });
});
