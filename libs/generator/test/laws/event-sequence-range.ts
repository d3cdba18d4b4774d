import fc from 'fast-check';
import type { Json } from '../schema-harness.js';
import type { DeclaredRange } from './declared-ranges.js';
import { expectBetween, instantOf } from './expectations.js';

const UNITS: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const duration = fc
  .tuple(fc.nat(9), fc.constantFrom(...Object.keys(UNITS)))
  .map(([n, unit]) => `${n}${unit}`);
const delay = fc
  .tuple(duration, duration)
  .map(([a, b]) => (milliseconds(a) <= milliseconds(b) ? { min: a, max: b } : { min: b, max: a }));

/**
 * Generates a tree of events in random order. The first generated event is the anchor. Each other event
 * follows an earlier generated one.
 */
const events = fc
  .array(fc.tuple(fc.nat(), delay, fc.constantFrom(undefined, 0, 0.5, 1)), { maxLength: 6 })
  .chain((others) => {
    const tree: Json[] = [
      { name: 'e0', base: true, range: { start: '2020-01-01', end: '2020-06-01' } },
      ...others.map(([parent, wait, probability], i) => ({
        name: `e${i + 1}`,
        after: `e${parent % (i + 1)}`,
        delay: wait,
        ...(probability !== undefined && { probability }),
      })),
    ];
    return fc.shuffledSubarray(tree, { minLength: tree.length });
  });

export const EVENT_SEQUENCE_RANGE: DeclaredRange = {
  params: events.map((list) => ({ events: list })),
  check(value, params) {
    const made = value as Json;
    const specs = params['events'] as Json[];
    expect(Object.keys(made)).toEqual(specs.map(({ name }) => name));
    for (const spec of specs) {
      const at = made[String(spec['name'])];
      if (at !== null) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      if (spec['after'] === undefined) expectAnchor(at, spec);
      else expectFollower(at, made[String(spec['after'])], spec);
    }
  },
};

function expectAnchor(at: unknown, { range = {}, probability = 1 }: Json): void {
  if (at === null) expect(probability).toBeLessThan(1);
  else {
    const { start = '1970-01-01', end = '2038-01-01' } = range as Json;
    expectBetween(Date.parse(String(at)), [instantOf(start), instantOf(end)]);
  }
}

function expectFollower(at: unknown, before: unknown, { delay: wait = {}, probability = 1 }: Json): void {
  if (before === null || probability === 0) expect(at).toBeNull();
  else if (at === null) expect(probability).toBeLessThan(1);
  else {
    const { min = '0', max = min } = wait as Json;
    const passed = Date.parse(String(at)) - Date.parse(String(before));
    expectBetween(passed, [milliseconds(String(min)), milliseconds(String(max))]);
  }
}

function milliseconds(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+)([smhdw]?)$/.exec(text) ?? [];
  return Number(amount) * (UNITS[unit] ?? NaN);
}
