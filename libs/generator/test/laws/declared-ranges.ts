import fc from 'fast-check';
import type { Json } from '../schema-harness.js';
import { NOW_MS } from '../test-model.js';
import { EVENT_SEQUENCE_RANGE } from './event-sequence-range.js';
import { decimals, expectBetween, instantOf } from './expectations.js';
import { STATISTICAL_RANGE } from './statistical-range.js';

/** The range that the params of a generator set for its values. */
export interface DeclaredRange {
  /** Generates params that the generator accepts. */
  readonly params: fc.Arbitrary<Json>;
  readonly constraints?: fc.Arbitrary<Json>;
  /** Fails with an expectation if the value of `row` is outside of the range. */
  readonly check: (value: unknown, params: Json, row: number, constraints: Json) => void;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const none = fc.constant({});

/** Generates params, any of which may be absent. */
const some = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
  fc.record(members, { requiredKeys: [] });

const instant = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const bound = fc.oneof(instant, fc.constantFrom('now', 'today', '-1year', 'now+7days'));
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.option(fc.nat(59)))
  .map((parts) => parts.flatMap((part) => (part === null ? [] : [String(part).padStart(2, '0')])).join(':'));

const uuid = (version: number): RegExp =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);

const svc = (algorithm: string): string => `@svc/core:logic.${algorithm}`;

export const DECLARED_RANGES: ReadonlyMap<string, DeclaredRange> = new Map<string, DeclaredRange>([
  [svc('uuid_v4'), { params: none, check: (value) => expect(value).toMatch(uuid(4)) }],
  [
    svc('uuid_v7'),
    {
      params: none,
      check(value, _, row) {
        expect(value).toMatch(uuid(7));
        expect(parseInt(String(value).replace('-', '').slice(0, 12), 16)).toBe(NOW_MS + row);
      },
    },
  ],
  [
    svc('ulid'),
    {
      params: none,
      check(value, _, row) {
        expect(value).toMatch(new RegExp(`^[${CROCKFORD}]{26}$`));
        const time = Array.from(String(value).slice(0, 10), (symbol) => CROCKFORD.indexOf(symbol));
        expect(time.reduce((sum, digit) => sum * 32 + digit, 0)).toBe(NOW_MS + row);
      },
    },
  ],
  [
    svc('nanoid'),
    {
      params: some({ length: fc.integer({ min: 1, max: 100 }) }),
      check: (value, { length = 21 }) =>
        expect(value).toMatch(new RegExp(`^[A-Za-z0-9_-]{${String(length)}}$`)),
    },
  ],
  [
    svc('int_between'),
    {
      params: fc
        .tuple(
          fc.integer(),
          fc.nat({ max: 2 ** 31 }),
          fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 5 }),
        )
        .map(([min, span, except]) => ({
          min,
          max: min + span + 10,
          except: except.map((offset) => min + offset),
        })),
      check(value, { min = 0, max = 2147483647, except = [] }) {
        expect(Number.isSafeInteger(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(Number(min));
        expect(value).toBeLessThanOrEqual(Number(max));
        expect(except).not.toContain(value);
      },
    },
  ],
  [
    svc('float_between'),
    {
      params: fc
        .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.nat(1e6), fc.integer({ min: 0, max: 6 }))
        // The range is at least 1 wide, so that it contains a number with this many decimals.
        .map(([min, span, precision]) => ({ min: min / 64, max: (min + span) / 64 + 1, precision })),
      check(value, { min = 0, max = 1, precision = 2 }) {
        expect(value).toBeGreaterThanOrEqual(Number(min));
        expect(value).toBeLessThanOrEqual(Number(max));
        expect(decimals(value)).toBeLessThanOrEqual(Number(precision));
      },
    },
  ],
  [
    svc('boolean'),
    {
      params: some({ probability: fc.constantFrom(-3, 0, 0.5, 1, 2) }),
      check(value, { probability = 0.5 }) {
        expect(typeof value).toBe('boolean');
        if (Number(probability) >= 1) expect(value).toBe(true);
        if (Number(probability) <= 0) expect(value).toBe(false);
      },
    },
  ],
  [
    svc('datetime_between'),
    {
      params: some({ start: bound, end: bound }),
      check(value, params) {
        expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expectBetween(Date.parse(String(value)), instants(params));
      },
    },
  ],
  [
    svc('date_between'),
    {
      params: some({ start: bound, end: bound }),
      check(value, params) {
        expect(value).toMatch(/^\d{4}-\d\d-\d\d$/);
        const days = instants(params).map((ms) => Math.floor(ms / 86_400_000) * 86_400_000);
        expectBetween(Date.parse(String(value)), days);
      },
    },
  ],
  [
    svc('timestamp'),
    {
      params: some({ start: bound, end: bound }),
      check(value, params) {
        const [from = 0, to = 0] = instants(params).sort((a, b) => a - b);
        expect(Number.isInteger(value)).toBe(true);
        const isBetween = Number(value) * 1000 >= from && Number(value) * 1000 <= to;
        const hasNoSecond = Math.floor(to / 1000) * 1000 < from;
        expect(isBetween || (hasNoSecond && value === Math.floor(from / 1000))).toBe(true);
      },
    },
  ],
  [
    svc('time_between'),
    {
      params: some({ start: clock, end: clock }),
      check(value, { start = '00:00:00', end = '23:59:59' }) {
        expect(value).toMatch(/^\d\d:\d\d:\d\d$/);
        const [from = '', to = ''] = [start, end].map((time) => `${String(time)}:00`.slice(0, 8));
        const isAfterStart = String(value) >= from;
        const isBeforeEnd = String(value) <= to;
        expect(from <= to ? isAfterStart && isBeforeEnd : isAfterStart || isBeforeEnd).toBe(true);
      },
    },
  ],
  [
    svc('sequence'),
    {
      params: some({ start: fc.maxSafeInteger(), step: fc.maxSafeInteger() }),
      check: (value, { start = 1, step = 1 }, row) =>
        expect(BigInt(value as number)).toBe(BigInt(Number(start)) + BigInt(row) * BigInt(Number(step))),
    },
  ],
  [
    svc('gaussian'),
    {
      params: some({ mean: fc.integer({ min: -1e6, max: 1e6 }), stddev: fc.nat(1000) }),
      check(value, { mean = 0, stddev = 1 }) {
        expect(Math.abs(Number(value) - Number(mean))).toBeLessThanOrEqual(9 * Number(stddev));
        expect(decimals(value)).toBeLessThanOrEqual(6);
      },
    },
  ],
  [
    svc('exponential'),
    {
      params: some({ lambda: fc.constantFrom(0.001, 0.5, 1, 40) }),
      check(value, { lambda = 1 }) {
        expectBetween(Number(value), [0, 37 / Number(lambda)]);
        expect(decimals(value)).toBeLessThanOrEqual(6);
      },
    },
  ],
  [
    svc('digits'),
    {
      params: some({
        digits: fc.integer({ min: -2, max: 25 }),
        strict: fc.boolean(),
        leading_zero: fc.boolean(),
      }),
      check(value, { digits = 1, strict = false, leading_zero = false }) {
        const length = Math.min(18, Math.max(1, Number(digits)));
        expect(typeof value === 'string').toBe(leading_zero);
        if (leading_zero === true) expect(value).toMatch(new RegExp(`^\\d{${length}}$`));
        const least = strict === true ? 10n ** BigInt(length - 1) : 0n;
        expect(BigInt(value as string) >= least && BigInt(value as string) < 10n ** BigInt(length)).toBe(
          true,
        );
      },
    },
  ],
  [
    '@svc/core:list',
    {
      params: fc
        .array(
          fc.oneof(
            fc.constantFrom('a', 'b', 7, true, null),
            fc.record({ value: fc.nat(), weight: fc.nat(3) }, { requiredKeys: ['value'] }),
            fc.record({ code: fc.nat() }),
          ),
          { maxLength: 8 },
        )
        .map((values) => ({ values: ['first', ...values] })),
      check(value, { values }) {
        const picked = (values as unknown[]).flatMap((item) => {
          if (typeof item !== 'object' || item === null || !Object.hasOwn(item, 'value')) return [item];
          const weighted = item as { value: unknown; weight?: number };
          return weighted.weight === 0 ? [] : [weighted.value];
        });
        expect(picked).toContainEqual(value);
      },
    },
  ],
  [
    '@svc/core:model',
    {
      params: fc.constant({ source: 'en_US/first_names' }),
      constraints: fc.oneof(
        fc.constant({ exclude_originals: true }),
        some({
          starts_with: fc.constantFrom('A', 'Ro', 'Ch'),
          min_length: fc.integer({ min: 0, max: 5 }),
          max_length: fc.integer({ min: 7, max: 12 }),
        }),
        some({ ends_with: fc.constantFrom('a', 'rt'), contains: fc.constant('ber') }),
      ),
      check(
        value,
        _,
        __,
        { starts_with = '', ends_with = '', contains = '', min_length = 1, max_length = 200 },
      ) {
        expect(String(value).startsWith(String(starts_with))).toBe(true);
        expect(String(value).endsWith(String(ends_with))).toBe(true);
        expect(value).toContain(contains);
        expectBetween(Array.from(String(value)).length, [Number(min_length), Number(max_length)]);
      },
    },
  ],
  ['@svc/core:statistical', STATISTICAL_RANGE],
  ['@svc/core:event_sequence', EVENT_SEQUENCE_RANGE],
]);

function instants({ start = '1970-01-01', end = '2038-01-01' }: Json): number[] {
  return [instantOf(start), instantOf(end)];
}
