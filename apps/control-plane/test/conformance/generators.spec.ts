import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startGeneration, svc, type GenerationHarness, type Json } from './generation-harness.js';

const WORDS = join(__dirname, '../../../../libs/builtin-models/assets/en_US/words.list.json');
/** The training values of the built-in model of English words. */
const learnedWords = new Set(
  (JSON.parse(readFileSync(WORDS, 'utf8')) as { values: (string | { value: string })[] }).values.map((word) =>
    typeof word === 'string' ? word : word.value,
  ),
);

const FIRST_NAMES = 'en_US/first_names';
const DAY_MS = 86_400_000;

let api: GenerationHarness;
beforeAll(async () => {
  api = await startGeneration();
});
afterAll(() => api?.plane.stop());

const numbers = async (...args: Parameters<GenerationHarness['values']>) =>
  (await api.values(...args)) as number[];
const texts = async (...args: Parameters<GenerationHarness['values']>) =>
  (await api.values(...args)) as string[];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (values: readonly unknown[], value: unknown) =>
  values.filter((other) => other === value).length / values.length;
const hasDecimals = (value: number, decimals: number) => Number(value.toFixed(decimals)) === value;

async function expectSame(one: Json, other: Json): Promise<void> {
  expect(await api.values(one)).toEqual(await api.values(other));
}

/** Checks that `defaults` are the default params, and that each param in `others` changes the values. */
async function expectDefaults(
  definitionOf: (params: Json) => Json,
  defaults: Json,
  others: Json,
): Promise<void> {
  const values = await api.values(definitionOf({}));
  expect(await api.values(definitionOf(defaults))).toEqual(values);
  for (const [name, other] of Object.entries(others)) {
    const changed = await api.values(definitionOf({ ...defaults, [name]: other }));
    expect([name, changed]).not.toEqual([name, values]);
  }
}

const svcOf = (algorithm: string) => (params: Json) => svc(algorithm, params);

// Section 2.9, forms

it('[2.9/2, 2.9/3] A definition may be written as `{ type, <type-specific keys>, constraints?, <modifiers> }`', async () => {
  const values = await texts({
    type: 'model',
    source: FIRST_NAMES,
    constraints: { starts_with: 'A' },
    nullable: 0.5,
    transform: 'uppercase(value)',
  });
  expect(values.filter((value) => value !== null).every((value) => /^A[A-Z]*$/.test(value))).toBe(true);
  expect(values).toContain(null);
});

it('[2.9/1] Both forms are one envelope: params, constraints and modifiers give the same values', async () => {
  const source = FIRST_NAMES;
  const rest = { constraints: { starts_with: 'A' }, nullable: 0.3, transform: 'uppercase(value)' };
  await expectSame(
    { type: 'model', source, ...rest },
    { use: '@svc/core:model', params: { source }, ...rest },
  );
});

it('[2.9/3] Constraints on a type that has none are refused', async () => {
  for (const definition of [
    svc('uuid_v4'),
    { type: 'list', values: ['a'] },
    { type: 'statistical', mode: 'categorical', values: ['a'] },
    { type: 'statistical', mode: 'multivariate', variables: [{ name: 'a' }] },
    { type: 'event_sequence', events: [{ name: 'a', base: true }] },
  ])
    expect(await api.refusal({ ...definition, constraints: { min_length: 2 } })).toMatch(
      /^validation_error .*constraints/,
    );
});

it('[2.9/2, 2.9/4] A definition may be written as { use, params }, with the name of any registered generator', async () => {
  const values = await api.values({ use: '@svc/core:list', params: { values: ['a'] } });
  expect(new Set(values)).toEqual(new Set(['a']));
  expect(await api.refusal({ use: '@acme/none:such' })).toContain('validation_error');
});

it('[2.9/6] The service type with an algorithm is `@svc/core:logic.<algorithm>`, its params verbatim', async () => {
  const params = { min: 1, max: 6 };
  for (const type of ['svc', 'logic', 'the service']) {
    await expectSame(
      { type, algorithm: 'int_between', params },
      { use: '@svc/core:logic.int_between', params },
    );
  }
});

it('[2.9/7] type list is @svc/core:list with source, values, key and where as params', async () => {
  const inline = { source: 'inline', values: ['a', 'b', 'c'], where: "item != 'b'" };
  await expectSame({ type: 'list', ...inline }, { use: '@svc/core:list', params: inline });
  const bucket = { source: 'en_US/cities_by_state', key: 'TX' };
  await expectSame({ type: 'list', ...bucket }, { use: '@svc/core:list', params: bucket });
});

it('[2.9/8] type model is @svc/core:model with source and generation as params', async () => {
  // All keys differ from their defaults, so a lost key changes the values.
  const params = { source: 'en_US/words', generation: { mode: 'sentence', params: { word_count: 3 } } };
  await expectSame({ type: 'model', ...params }, { use: '@svc/core:model', params });
});

it('[2.9/9] type statistical is @svc/core:statistical with its seven keys as params', async () => {
  const forms: Json[] = [
    { mode: 'categorical', values: [{ value: 'a' }, { value: 'b', weight: 2 }] },
    { distribution: 'lognormal', params: { mu: 2 }, differential_privacy: { enabled: true } },
    {
      mode: 'multivariate',
      variables: [{ name: 'x' }, { name: 'y' }],
      correlations: [
        [1, 0.5],
        [0.5, 1],
      ],
    },
  ];
  for (const params of forms)
    await expectSame({ type: 'statistical', ...params }, { use: '@svc/core:statistical', params });
});

it('[2.9/10] type event_sequence is @svc/core:event_sequence with events as params', async () => {
  const params = { events: [{ name: 'a', base: true, range: { start: '2020-01-01', end: '2021-01-01' } }] };
  await expectSame({ type: 'event_sequence', ...params }, { use: '@svc/core:event_sequence', params });
});

it('[2.8/5, 2.9/11] The types template and linked are gone: they error with guidance', async () => {
  const template = await api.refusal({ type: 'template', pattern: '{{uuid}}@example.com' });
  expect(template).toContain('validation_error schema.generators.it');
  expect(template).toContain('{"body":"{{uuid}}@example.com"}');
  expect(await api.refusal({ type: 'linked' })).toMatch(/^validation_error .*list/);
});

// Section 2.9, modifiers

it('[2.9.1/1] unique emits distinct values across rows', async () => {
  const values = await api.values({ ...svc('int_between', { min: 1, max: 100 }), unique: true });
  expect(new Set(values).size).toBe(100);
});

/** Two values, the second of which is so rare that 200 attempts do not find it. */
const SELDOM_B = [
  { value: 'a', weight: 1 },
  { value: 'b', weight: 1e-9 },
];

it('[2.9.1/1, 7/10] unique re-rolls a collision up to 200 times, then errors', async () => {
  const two = { type: 'list', values: SELDOM_B, unique: true };
  expect(await api.refusal(two, { count: 2 })).toMatch(/^generation_failed .*200/);
  // An impossible request fails before the first record.
  expect(await api.refusal(two, { count: 3 })).toMatch(/^validation_error /);
});

it('[2.9.1/1] Nulls are exempt from unique: they are neither remembered nor use up attempts', async () => {
  const values = await api.values({
    ...svc('int_between', { min: 1, max: 50 }),
    unique: true,
    nullable: 0.8,
  });
  const present = values.filter((value) => value !== null);
  expect(values.length - present.length).toBeGreaterThan(2);
  expect(new Set(present).size).toBe(present.length);
  const never = { type: 'list', values: ['a'], unique: true, nullable: 1 };
  expect(new Set(await api.values(never, { count: 1_000 }))).toEqual(new Set([null]));
  // This includes nulls of the generator itself: one record has the text, and all others are null.
  const own = await api.values({ type: 'list', values: [null, 'a'], unique: true });
  expect(own.filter((value) => value !== null)).toEqual(['a']);
});

it('nullable: true means a rate of 0.1', async () => {
  const values = await api.values({ ...svc('boolean'), nullable: true }, { count: 10_000 });
  expect(Math.abs(share(values, null) - 0.1)).toBeLessThan(0.015);
});

it('[2.9.1/2] nullable as a number is the rate itself, in [0, 1]', async () => {
  const rate = async (nullable: number) =>
    share(await api.values({ ...svc('boolean'), nullable }, { count: 2_000 }), null);
  expect([await rate(0), await rate(1)]).toEqual([0, 1]);
  expect(Math.abs((await rate(0.3)) - 0.3)).toBeLessThan(0.04);
  for (const nullable of [-0.1, 1.1])
    expect(await api.refusal({ ...svc('boolean'), nullable })).toMatch(/^validation_error .*nullable/);
});

it('[2.9.1/2] nullable does not change the value stream', async () => {
  const definition = svc('int_between');
  const without = await api.values(definition);
  const values = await api.values({ ...definition, nullable: 0.5 });
  expect(values).toContain(null);
  expect(values.map((value, i) => value ?? without[i])).toEqual(without);
});

it('[2.9.1/3] transform is an expression applied to the produced value, with `value` bound to it', async () => {
  const definition = svc('int_between', { min: 1, max: 9 });
  const plain = await numbers(definition);
  expect(await api.values({ ...definition, transform: 'value * 10' })).toEqual(plain.map((n) => n * 10));
});

// Section 2.9, service generators

it('[2.9.2/1, 2.9.2/3] They need no data source, and each value is a pure function of its cell: neither the number of rows nor other generators change it', async () => {
  for (const algorithm of ['uuid_v4', 'int_between', 'sequence', 'gaussian', 'datetime_between']) {
    const expected = await api.values(svc(algorithm), { count: 100 });
    const beside = { other: svc('uuid_v4'), another: svc('gaussian') };
    expect(await api.values(svc(algorithm), { count: 7, beside })).toEqual(expected.slice(0, 7));
  }
});

it('[2.9.2/2] algorithm is required and names one algorithm', async () => {
  for (const algorithm of [undefined, 'none', '', ['uuid_v4', 'ulid'], null])
    expect([algorithm, await api.refusal({ type: 'svc', algorithm })]).toEqual([
      algorithm,
      expect.stringMatching(/^validation_error schema\.generators\.it\.algorithm/),
    ]);
});

it('[2.9.2/4] uuid_v4 gives a string and takes no parameters', async () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect((await texts(svc('uuid_v4'))).every((value) => uuid.test(value))).toBe(true);
  expect(await api.refusal(svc('uuid_v4', { length: 1 }))).toContain('validation_error');
});

it('[2.9.2/5] uuid_v7 gives a string whose timestamp is the reference instant + index, sortable by index', async () => {
  const values = await texts(svc('uuid_v7'));
  const instants = values.map((value) => Number.parseInt(value.replace('-', '').slice(0, 12), 16));
  expect(instants).toEqual(values.map((_, i) => Date.UTC(2026, 0, 1) + i));
  expect(values.toSorted()).toEqual(values);
  expect(values.every((value) => value[14] === '7')).toBe(true);
});

it('[2.9.2/6] ulid gives 26 characters of Crockford base32', async () => {
  const values = await texts(svc('ulid'));
  expect(values.every((value) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value))).toBe(true);
});

it('[2.9.2/7, 8/15] nanoid gives a string of `length` symbols, 21 by default', async () => {
  const lengths = async (params?: Json) =>
    new Set((await texts(svc('nanoid', params))).map((value) => value.length));
  expect([await lengths(), await lengths({ length: 8 })]).toEqual([new Set([21]), new Set([8])]);
});

it('[2.9.2/8] int_between gives integers from min (0) to max (2147483647)', async () => {
  const wide = await numbers(svc('int_between'));
  expect(wide.every((n) => Number.isInteger(n) && n >= 0 && n <= 2_147_483_647)).toBe(true);
  const last = 2_147_483_647;
  expect(new Set(await api.values(svc('int_between', { min: last - 1 })))).toEqual(new Set([last - 1, last]));
  expect(new Set(await api.values(svc('int_between', { max: 1 })))).toEqual(new Set([0, 1]));
  const narrow = await numbers(svc('int_between', { min: -1, max: 1 }));
  expect(new Set(narrow)).toEqual(new Set([-1, 0, 1]));
});

it('[2.9.2/9] float_between gives numbers from min (0) to max (1) with precision (2)', async () => {
  const values = await numbers(svc('float_between'));
  expect(values.every((x) => x >= 0 && x <= 1 && hasDecimals(x, 2))).toBe(true);
  await expectDefaults(
    svcOf('float_between'),
    { min: 0, max: 1, precision: 2 },
    { min: 0.1, max: 1.1, precision: 3 },
  );
  const precise = await numbers(svc('float_between', { min: 5, max: 6, precision: 4 }));
  expect(precise.every((x) => x >= 5 && x <= 6 && hasDecimals(x, 4))).toBe(true);
  expect(precise.some((x) => !hasDecimals(x, 3))).toBe(true);
  const inwards = await numbers(svc('float_between', { min: 0.001, max: 0.029 }));
  expect(new Set(inwards)).toEqual(new Set([0.01, 0.02]));
});

it('[2.9.2/10] boolean gives true with probability (0.5), clamped to [0, 1]', async () => {
  const rate = async (params?: Json) =>
    share(await api.values(svc('boolean', params), { count: 2_000 }), true);
  await expectDefaults(svcOf('boolean'), { probability: 0.5 }, { probability: 0.55 });
  expect(Math.abs((await rate({ probability: 0.2 })) - 0.2)).toBeLessThan(0.04);
  expect([await rate({ probability: 7 }), await rate({ probability: -7 })]).toEqual([1, 0]);
});

/**
 * Checks the default start and end of an algorithm, and a range between them.
 * @param early the first values from the default start, so few that all of them are generated
 * @param late the last values up to the default end, so few that all of them are generated
 */
async function expectInstants(
  algorithm: string,
  early: readonly string[],
  late: readonly string[],
): Promise<void> {
  expect(new Set(await api.values(svc(algorithm, { end: early.at(-1) })))).toEqual(new Set(early));
  expect(new Set(await api.values(svc(algorithm, { start: late[0] })))).toEqual(new Set(late));
  const within = await texts(svc(algorithm, { start: '2020-02-01', end: '2020-02-29' }));
  expect(within.every((value) => value.startsWith('2020-02-'))).toBe(true);
  expect(new Set(within).size).toBeGreaterThan(20);
}

it('[2.9.2/11] datetime_between gives strings from start (1970-01-01) to end (2038-01-01)', () =>
  expectInstants(
    'datetime_between',
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z'],
    ['2037-12-31T23:59:59.999Z', '2038-01-01T00:00:00.000Z'],
  ));

it('[2.9.2/12] date_between gives strings from start (1970-01-01) to end (2038-01-01)', () =>
  expectInstants('date_between', ['1970-01-01', '1970-01-02'], ['2037-12-31', '2038-01-01']));

it('[2.9.2/13] time_between gives strings from start (00:00:00) to end (23:59:59)', async () => {
  const values = await texts(svc('time_between'));
  expect(values.every((value) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value))).toBe(true);
  const early = await texts(svc('time_between', { end: '00:00:01' }));
  expect(new Set(early)).toEqual(new Set(['00:00:00', '00:00:01']));
  const late = await texts(svc('time_between', { start: '23:59:58' }));
  expect(new Set(late)).toEqual(new Set(['23:59:58', '23:59:59']));
});

it('[2.9.2/14] timestamp gives Unix seconds from start (1970-01-01) to end (2038-01-01)', async () => {
  const last = Date.UTC(2038, 0, 1) / 1000;
  const early = await numbers(svc('timestamp', { end: '1970-01-01T00:00:01Z' }));
  expect(new Set(early)).toEqual(new Set([0, 1]));
  const late = await numbers(svc('timestamp', { start: '2037-12-31T23:59:59Z' }));
  expect(new Set(late)).toEqual(new Set([last - 1, last]));
});

it('[2.9.2/3, 2.9.2/15] sequence gives start (1) + row index * step (1)', async () => {
  expect(await api.values(svc('sequence'), { count: 3 })).toEqual([1, 2, 3]);
  expect(await api.values(svc('sequence', { start: 10, step: -5 }), { count: 3 })).toEqual([10, 5, 0]);
});

it('[2.9.2/16] gaussian has mean (0) and stddev (1), rounded to 6 decimals', async () => {
  const values = await numbers(svc('gaussian'));
  expect(values.every((x) => hasDecimals(x, 6))).toBe(true);
  expect(values.some((x) => !hasDecimals(x, 5))).toBe(true);
  await expectDefaults(svcOf('gaussian'), { mean: 0, stddev: 1 }, { mean: 0.1, stddev: 1.1 });
  const scaled = await numbers(svc('gaussian', { mean: 50, stddev: 10 }));
  expect(scaled.every((x, i) => Math.abs(x - (50 + 10 * (values[i] ?? NaN))) < 1e-4)).toBe(true);
});

it('[2.9.2/17] exponential has lambda (1), rounded to 6 decimals', async () => {
  const values = await numbers(svc('exponential'));
  expect(values.every((x) => x >= 0 && hasDecimals(x, 6))).toBe(true);
  expect(values.some((x) => !hasDecimals(x, 5))).toBe(true);
  await expectDefaults(svcOf('exponential'), { lambda: 1 }, { lambda: 1.1 });
  const scaled = await numbers(svc('exponential', { lambda: 0.1 }));
  expect(scaled.every((x, i) => Math.abs(x - 10 * (values[i] ?? NaN)) < 1e-4)).toBe(true);
});

it('[2.9.2/18] digits takes digits (1, clamped to 1-18), strict (false) and leading_zero (false)', async () => {
  const one = await numbers(svc('digits'));
  expect(one.every((n) => Number.isInteger(n) && n >= 0 && n <= 9)).toBe(true);
  await expectDefaults(
    svcOf('digits'),
    { digits: 1, strict: false, leading_zero: false },
    { digits: 2, strict: true, leading_zero: true },
  );
  await expectSame(svc('digits', { digits: 0 }), svc('digits', { digits: 1 }));
  await expectSame(svc('digits', { digits: 40 }), svc('digits', { digits: 18 }));
  const longest = await texts(svc('digits', { digits: 40, leading_zero: true }));
  expect(new Set(longest.map((value) => value.length))).toEqual(new Set([18]));
});

it('[2.9.2/20] int_between errors when min > max', async () => {
  expect(await api.refusal(svc('int_between', { min: 2, max: 1 }))).toContain('min 2 is greater than max 1');
});

it('[2.9.2/8, 2.9.2/21] int_between never gives what `except` lists', async () => {
  const values = await api.values(svc('int_between', { min: 1, max: 5, except: [2, 4] }));
  expect(new Set(values)).toEqual(new Set([1, 3, 5]));
});

it('[2.9.2/21] int_between errors when `except` excludes the whole range', async () => {
  expect(await api.refusal(svc('int_between', { min: 1, max: 2, except: [1, 2] }))).toMatch(/except/);
});

it('[2.9.2/21] int_between finds the one number that `except` leaves of 5,000', async () => {
  // With six records, 1000 random attempts would not find the one number of 5,000 that is left.
  const except = Array.from({ length: 5_000 }, (_, i) => i).filter((value) => value !== 4_321);
  const values = await api.values(svc('int_between', { min: 0, max: 4_999, except }));
  expect(new Set(values)).toEqual(new Set([4_321]));
});

it('[2.9.2/22] float_between errors when min > max', async () => {
  expect(await api.refusal(svc('float_between', { min: 2, max: 1 }))).toContain(
    'min 2 is greater than max 1',
  );
});

it('[2.9.2/23] Bounds of datetime_between, date_between and timestamp are ISO-8601 or relative: now, today, -1year, now+7days', async () => {
  const now = Date.UTC(2026, 0, 1, 12);
  const options = { now: new Date(now).toISOString() };
  const instants = async (start: string, end: string) =>
    (await texts(svc('datetime_between', { start, end }), options)).map((value) => Date.parse(value));
  const within = (values: readonly number[], from: number, to: number) =>
    values.every((value) => value >= from && value <= to);
  expect(within(await instants('now', 'now+7days'), now, now + 7 * DAY_MS)).toBe(true);
  expect(within(await instants('today', 'now'), now - DAY_MS / 2, now)).toBe(true);
  expect(within(await instants('-1year', 'now'), now - 366 * DAY_MS, now)).toBe(true);
  expect(within(await instants('2020-01-01T00:00:00Z', '2020-01-02'), 1577836800000, 1577923200000)).toBe(
    true,
  );
  for (const [start, first] of [
    ['2020-02', Date.UTC(2020, 1)],
    ['2020', Date.UTC(2020, 0)],
    ['2020-01-01T12:00:00+02:00', Date.UTC(2020, 0, 1, 10)],
  ] as const)
    expect(new Set(await instants(start, start))).toEqual(new Set([first]));
  const dates = await texts(svc('date_between', { start: 'today', end: 'today' }), options);
  expect(new Set(dates)).toEqual(new Set(['2026-01-01']));
  const seconds = await numbers(svc('timestamp', { start: 'now', end: 'now' }), options);
  expect(new Set(seconds)).toEqual(new Set([now / 1000]));
});

it('[2.9.2/23] Week dates, ordinal dates and the basic form of ISO-8601 are refused', async () => {
  for (const start of ['2020-W01-1', '2020-060', '20200101', '2020-01-01T10'])
    for (const algorithm of ['datetime_between', 'date_between', 'timestamp'])
      expect([start, await api.refusal(svc(algorithm, { start }))]).toEqual([
        start,
        expect.stringMatching(/^validation_error .*start/),
      ]);
});

it('[2.9.2/23] The two bounds of instants are ordered, so either direction works', async () => {
  const [start, end] = ['2020-01-01', '2021-01-01'];
  for (const algorithm of ['datetime_between', 'date_between', 'timestamp'])
    await expectSame(svc(algorithm, { start, end }), svc(algorithm, { start: end, end: start }));
});

it('[2.9.2/24] Bounds of time_between are HH:MM:SS or HH:MM', async () => {
  const values = await texts(svc('time_between', { start: '09:30', end: '09:30:01' }));
  expect(new Set(values)).toEqual(new Set(['09:30:00', '09:30:01']));
});

it('[2.9.2/25] digits spans [10^(digits-1), 10^digits - 1] when strict, else from 0', async () => {
  const strict = await numbers(svc('digits', { digits: 2, strict: true }), { count: 1_000 });
  expect([Math.min(...strict), Math.max(...strict)]).toEqual([10, 99]);
  const loose = await numbers(svc('digits', { digits: 2 }), { count: 1_000 });
  expect([Math.min(...loose), Math.max(...loose)]).toEqual([0, 99]);
});

it('[2.9.2/26] digits with leading_zero is a zero-padded string, otherwise an integer', async () => {
  const params = { digits: 3, leading_zero: true };
  const padded = await texts(svc('digits', params));
  expect(padded.every((value) => /^\d{3}$/.test(value))).toBe(true);
  expect(padded.some((value) => value.startsWith('0'))).toBe(true);
  expect(padded.map(Number)).toEqual(await api.values(svc('digits', { digits: 3 })));
});

// Section 2.9, list

it('[2.9.3/1, 2.9.3/3, 2.9.3/4] `values` is the inline candidate set; `source` omitted or `inline` means it', async () => {
  const values = ['a', 'b'];
  await expectSame({ type: 'list', values }, { type: 'list', source: 'inline', values });
  expect(new Set(await api.values({ type: 'list', values }))).toEqual(new Set(values));
});

it('[2.9.3/2] The choice follows the weights exactly and reproducibly', async () => {
  const definition = {
    type: 'list',
    values: [
      { value: 'a', weight: 1 },
      { value: 'b', weight: 3 },
    ],
  };
  const values = await api.values(definition, { count: 10_000 });
  expect(Math.abs(share(values, 'b') - 0.75)).toBeLessThan(0.02);
  expect(await api.values(definition, { count: 10_000 })).toEqual(values);
});

it('[2.9.3/1, 2.9.3/4] `source` names an asset: a string other than inline, or { asset }', async () => {
  const towns = await texts({ type: 'list', source: 'en_US/cities' });
  expect(towns.every((town) => town.length > 0)).toBe(true);
  await expectSame(
    { type: 'list', source: 'en_US/cities' },
    { type: 'list', source: { asset: 'en_US/cities' } },
  );
  expect(await api.refusal({ type: 'list', source: 'en_US/none' })).toMatch(/^validation_error .*source/);
});

it('[2.9.3/5] Where the source is a map, `key` chooses the bucket', async () => {
  const beside = { state: { type: 'list', values: ['TX'] } };
  const towns = await texts({ type: 'list', source: 'en_US/cities_by_state', key: '{{state}}' }, { beside });
  expect(towns).toContain('Houston');
  expect(towns).not.toContain('Chicago');
});

it('[2.9.3/6] `where` keeps the elements for which it holds, with `item` bound to the candidate beside other names', async () => {
  const cities = [
    { city: 'Delft', in: 'nl' },
    { city: 'Lyon', in: 'fr' },
    { city: 'Nice', in: 'fr' },
  ];
  const beside = { country: { type: 'list', values: ['fr'] } };
  const values = await api.values({ type: 'list', values: cities, where: 'item.in == country' }, { beside });
  expect(new Set(values.map((value) => (value as { city: string }).city))).toEqual(new Set(['Lyon', 'Nice']));
});

it('[2.9.3/7] A plain scalar is returned as it is', async () => {
  const values = ['text', 7, true, null];
  expect(new Set(await api.values({ type: 'list', values }))).toEqual(new Set(values));
});

it('[2.9.3/7] { value, weight } unwraps to value; weight defaults to 1, and 0 is never selected', async () => {
  const values = [{ value: 'a' }, { value: 'b', weight: 1 }, { value: 'never', weight: 0 }];
  const picked = await api.values({ type: 'list', values }, { count: 2_000 });
  expect(new Set(picked)).toEqual(new Set(['a', 'b']));
  expect(Math.abs(share(picked, 'a') - 0.5)).toBeLessThan(0.05);
});

it('[2.9.3/7] Any other object is returned whole', async () => {
  const record = { code: 'nl', name: 'Netherlands' };
  expect(await api.values({ type: 'list', values: [record] }, { count: 1 })).toEqual([record]);
});

it('[2.9.3/8] An empty selection errors', async () => {
  expect(await api.refusal({ type: 'list', values: [] })).toContain('schema.generators.it');
  const unmatched = { type: 'list', values: [1, 2], where: 'item > 2' };
  expect(await api.refusal(unmatched)).toContain('schema.generators.it');
});

it('[2.9.3/8] All-zero weights error', async () => {
  expect(await api.refusal({ type: 'list', values: [{ value: 1, weight: 0 }] })).toMatch(/weight/);
});

it('[2.9.3/8] A missing key bucket errors', async () => {
  const definition = { type: 'list', source: 'en_US/cities_by_state', key: 'XX' };
  expect(await api.refusal(definition)).toMatch(/^validation_error schema\.generators\.it\.key/);
});

// Section 2.9, model

const model = (members: Json = {}): Json => ({ type: 'model', source: FIRST_NAMES, ...members });
const mode = (name: string, params?: Json): Json =>
  model({ source: 'en_US/words', generation: { mode: name, ...(params && { params }) } });
const modeOf = (name: string) => (params: Json) => mode(name, params);
const words = (text: string) => text.split(/\s+/);

it('[2.9.4/1, 2.9.4/2, 2.9.4/3] `source` names a model and is required; the output is a function of the seed', async () => {
  const values = await texts(model());
  expect(values.every((value) => value.length > 0)).toBe(true);
  expect(await api.values(model())).toEqual(values);
  expect(await api.values(model(), { seed: 2 })).not.toEqual(values);
  expect(await api.refusal({ type: 'model' })).toMatch(/source/);
});

it('[2.9.4/4] generation.mode defaults to word', () =>
  expectSame(model(), model({ generation: { mode: 'word' } })));

it('[2.9.4/5] word honours the top-level constraints', async () => {
  const constraints = { starts_with: 'M', min_length: 4, max_length: 6 };
  const values = await texts(model({ constraints }));
  expect(values.every((value) => /^M.{3,5}$/.test(value))).toBe(true);
});

it('[2.9.4/6] sentence takes word_count, punctuation (`.`; a string or an array to pick from) and starts_with', async () => {
  const sentences = await texts(mode('sentence', { word_count: 5, punctuation: ['!', '?'] }));
  expect(sentences.every((value) => words(value).length === 5 && /[!?]$/.test(value))).toBe(true);
  expect((await texts(mode('sentence'))).every((value) => value.endsWith('.'))).toBe(true);
  const begun = await texts(mode('sentence', { starts_with: 'th' }));
  expect(begun.every((value) => value.toLowerCase().startsWith('th'))).toBe(true);
});

it('[2.9.4/7] text takes max_chars (200), suffix (empty) and starts_with', async () => {
  const lengths = (await texts(mode('text'))).map((value) => value.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(200);
  await expectDefaults(modeOf('text'), { max_chars: 200, suffix: '' }, { max_chars: 190, suffix: '!' });
  const short = await texts(mode('text', { max_chars: 60, suffix: '…', starts_with: 'th' }));
  expect(short.every((value) => value.length <= 60 && value.endsWith('…') && /^th/i.test(value))).toBe(true);
});

it('[2.9.4/8] paragraph takes sentence_count and starts_with', async () => {
  const values = await texts(mode('paragraph', { sentence_count: 3, starts_with: 'th' }));
  expect(values.every((value) => value.split('.').length === 4 && /^th/i.test(value))).toBe(true);
  expect((await texts(mode('paragraph'))).every((value) => value.length > 0)).toBe(true);
});

it('[2.9.4/9] poem takes verses (4), stanza_length (4) and max_words (8)', async () => {
  const poems = await texts(mode('poem'));
  expect(poems.every((poem) => poem.split('\n').filter(Boolean).length === 4)).toBe(true);
  expect(poems.every((poem) => poem.split('\n').every((verse) => words(verse).length <= 8))).toBe(true);
  await expectDefaults(modeOf('poem'), { verses: 4, max_words: 8 }, { verses: 5, max_words: 7 });
  // With four verses, all stanza lengths of four or more give the same result.
  const eightVerses = (params: Json) => mode('poem', { verses: 8, ...params });
  await expectDefaults(eightVerses, { stanza_length: 4 }, { stanza_length: 5 });
  const [poem = ''] = await texts(mode('poem', { verses: 4, stanza_length: 2, max_words: 3 }), { count: 1 });
  expect(poem.split('\n\n').map((stanza) => stanza.split('\n').length)).toEqual([2, 2]);
  expect(poem.split('\n').every((verse) => words(verse).length <= 3)).toBe(true);
});

it('[2.9.4/10] acrostic takes initials (empty) and max_words (8)', async () => {
  await expectDefaults(modeOf('acrostic'), { initials: '' }, { initials: 'a' });
  expect(new Set(await texts(mode('acrostic')))).toEqual(new Set(['']));
  const spelled = (params: Json) => mode('acrostic', { initials: 'abc', ...params });
  await expectDefaults(spelled, { max_words: 8 }, { max_words: 7 });
  const poems = await texts(mode('acrostic', { initials: 'abc', max_words: 4 }));
  for (const poem of poems) {
    const verses = poem.split('\n');
    expect(verses.map((verse) => verse[0]?.toLowerCase())).toEqual(['a', 'b', 'c']);
    expect(verses.every((verse) => words(verse).length <= 4)).toBe(true);
  }
});

it('[2.9.4/10] An initial of acrostic that cannot be met errors: there is no silent fallback', async () => {
  expect(await api.refusal(mode('acrostic', { initials: 'aя' }))).toContain('schema.generators.it');
});

it('[2.9.4/11] real_word samples an actual training item with prefix (none); null when none matches', async () => {
  const realWord = (params: Json) =>
    model({ source: 'en_US/words', generation: { mode: 'real_word', params } });
  const any = await texts(realWord({}));
  expect(any.filter((value) => !learnedWords.has(value))).toEqual([]);
  const begun = await texts(realWord({ prefix: 'ab' }));
  expect(begun.filter((value) => !learnedWords.has(value) || !value.startsWith('ab'))).toEqual([]);
  expect(new Set(await api.values(realWord({ prefix: 'я' })))).toEqual(new Set([null]));
});

it('[2.9.4/12] starts_with may come from generation.params or from the constraints', async () => {
  const generation = { mode: 'sentence' };
  const texts = await api.values(
    model({ source: 'en_US/words', generation, constraints: { starts_with: 'th' } }),
  );
  expect(texts).toEqual(await api.values(mode('sentence', { starts_with: 'th' })));
});

it('[2.9.4/13] A constraint that a mode does not support is named in a warning, and changes nothing', async () => {
  const poem = (constraints: Json) =>
    model({ source: 'en_US/words', generation: { mode: 'poem' }, constraints });
  await expectSame(poem({}), poem({ min_length: 3 }));
  const body = { schema: { generators: { it: poem({ min_length: 3 }) }, output: ['it'] }, count: 1 };
  const { meta } = (await api.post(body)).body as unknown as { meta: { warnings: Json[] } };
  expect(meta.warnings).toEqual([
    { field: 'schema.generators.it.constraints.min_length', message: expect.any(String) },
  ]);
});

it('[2.9.4/14] Constraint starts_with is a required prefix', async () => {
  const values = await texts(model({ constraints: { starts_with: 'Jo' } }));
  expect(values.every((value) => value.startsWith('Jo'))).toBe(true);
});

it('[2.9.4/15] Constraint ends_with is a required suffix', async () => {
  const values = await texts(model({ constraints: { ends_with: 'a' } }));
  expect(values.every((value) => value.endsWith('a'))).toBe(true);
});

it('[2.9.4/16] Constraint contains is a required substring', async () => {
  const values = await texts(model({ constraints: { contains: 'nn' } }));
  expect(values.every((value) => value.includes('nn'))).toBe(true);
});

it('[2.9.4/17, 2.9.4/18] Constraints min_length and max_length bound the length', async () => {
  const values = await texts(model({ constraints: { min_length: 5, max_length: 6 } }));
  expect(new Set(values.map((value) => value.length))).toEqual(new Set([5, 6]));
});

it('[2.9.4/19] Constraint exclude_originals never emits a training item verbatim', async () => {
  const constraints = { exclude_originals: true };
  const values = await texts(model({ source: 'en_US/words', constraints }), { count: 500 });
  expect(values.filter((value) => learnedWords.has(value))).toEqual([]);
});

// Section 2.9, statistical

const statistical = (members: Json): Json => ({ type: 'statistical', ...members });

it('[2.9.5/1] mode defaults to continuous', () =>
  expectSame(
    statistical({ distribution: 'normal' }),
    statistical({ mode: 'continuous', distribution: 'normal' }),
  ));

it('[2.9.5/5] algebraic is no mode: it errors with guidance to use let/computed', async () => {
  expect(await api.refusal(statistical({ mode: 'algebraic' }))).toMatch(/^validation_error .*computed/);
});

it('[2.9.5/2, 2.9.5/6] categorical picks by weight among { value, weight }; weight defaults to 1, 0 means never', async () => {
  const values = [{ value: 'a', weight: 3 }, { value: 7 }, { value: 'never', weight: 0 }];
  const picked = await api.values(statistical({ mode: 'categorical', values }), { count: 5_000 });
  expect(new Set(picked)).toEqual(new Set(['a', 7]));
  expect(Math.abs(share(picked, 'a') - 0.75)).toBeLessThan(0.03);
});

it('[2.9.5/6] categorical errors on an empty or all-zero set', async () => {
  for (const values of [[], [{ value: 'a', weight: 0 }]])
    expect(await api.refusal(statistical({ mode: 'categorical', values }))).toContain('validation_error');
});

it('[2.9.5/3, 2.9.5/8, 2.9.5/12] continuous samples `distribution`, normal by default, rounded to 6 decimals', async () => {
  await expectSame(statistical({}), statistical({ distribution: 'normal' }));
  expect((await numbers(statistical({}))).every((x) => hasDecimals(x, 6))).toBe(true);
});

/**
 * Checks the defaults of a distribution. The statistics suites of libs/generator test the effect of its
 * parameters.
 */
const expectDistribution = (distribution: string, defaults: Json, others: Json) =>
  expectDefaults((params) => statistical({ distribution, params }), defaults, others);

it('[2.9.5/9, 2.9.5/13] normal has mean (0) and stddev (1)', () =>
  expectDistribution('normal', { mean: 0, stddev: 1 }, { mean: 0.1, stddev: 1.1 }));
it('[2.9.5/14] lognormal has mu (0) and sigma (1)', () =>
  expectDistribution('lognormal', { mu: 0, sigma: 1 }, { mu: 0.1, sigma: 1.1 }));
it('[2.9.5/15] exponential has lambda (1)', () =>
  expectDistribution('exponential', { lambda: 1 }, { lambda: 1.1 }));
it('[2.9.5/16] uniform has min (0) and max (1)', () =>
  expectDistribution('uniform', { min: 0, max: 1 }, { min: 0.1, max: 1.1 }));
it('[2.9.5/17] poisson has lambda (1)', () => expectDistribution('poisson', { lambda: 1 }, { lambda: 1.5 }));
it('[2.9.5/18] beta has alpha (1) and beta (1)', () =>
  expectDistribution('beta', { alpha: 1, beta: 1 }, { alpha: 1.1, beta: 1.1 }));
it('[2.9.5/19] gamma has shape (1) and scale (1)', () =>
  expectDistribution('gamma', { shape: 1, scale: 1 }, { shape: 1.1, scale: 1.1 }));

it('[2.9.5/11] Constraints min and max form a window in which the value lies, clamped in the end', async () => {
  const within = await numbers(statistical({ constraints: { min: -1, max: 0.5 } }), { count: 2_000 });
  expect(within.every((x) => x >= -1 && x <= 0.5)).toBe(true);
  const far = await api.values(statistical({ constraints: { min: 100, max: 200 } }));
  expect(new Set(far)).toEqual(new Set([100]));
});

const withNoise = (noise: Json): Json => statistical({ differential_privacy: noise });

it('[2.9.5/10, 2.9.5/21] differential_privacy is off by default; enabled, it adds noise', async () => {
  const plain = await numbers(statistical({}));
  expect(await api.values(withNoise({ enabled: false }))).toEqual(plain);
  expect(await api.values(withNoise({}))).toEqual(plain);
  expect(await api.values(withNoise({ enabled: true }))).not.toEqual(plain);
});

it('[2.9.5/22, 2.9.5/23, 2.9.5/24] differential_privacy has epsilon (1.0), sensitivity (1.0) and mechanism (laplace, or gaussian)', async () => {
  await expectDefaults(
    (noise) => withNoise({ enabled: true, ...noise }),
    { epsilon: 1, sensitivity: 1, mechanism: 'laplace' },
    { epsilon: 0.9, sensitivity: 1.1, mechanism: 'gaussian' },
  );
  expect(await api.refusal(withNoise({ enabled: true, mechanism: 'none' }))).toMatch(/mechanism/);
});

it('[2.9.5/22] epsilon is floored at 1e-6', () =>
  expectSame(withNoise({ enabled: true, epsilon: 0 }), withNoise({ enabled: true, epsilon: 1e-6 })));

const multivariate = (variables: unknown, correlations?: unknown): Json =>
  statistical({ mode: 'multivariate', variables, ...(correlations !== undefined && { correlations }) });

it('[2.9.5/27, 2.9.5/29] multivariate gives an object of its variables { name, mean (0), stddev (1) }, rounded to 6 decimals', async () => {
  const variables = [{ name: 'height', mean: 170, stddev: 10 }, { name: 'z' }];
  const values = (await api.values(multivariate(variables), { count: 2_000 })) as Record<string, number>[];
  expect(Object.keys(values[0] ?? {})).toEqual(['height', 'z']);
  expect(values.every((value) => Object.values(value).every((x) => hasDecimals(x, 6)))).toBe(true);
  expect(Math.abs(mean(values.map(({ height = 0 }) => height)) - 170)).toBeLessThan(1);
  expect(Math.abs(mean(values.map(({ z = 9 }) => z)))).toBeLessThan(0.1);
});

it('[2.9.5/27] Variables of multivariate have names that are non-empty and unique', async () => {
  for (const variables of [[{ name: '' }], [{ name: 'a' }, { name: 'a' }], [{}], []])
    expect(await api.refusal(multivariate(variables))).toMatch(/^validation_error .*variables/);
});

it('[2.9.5/28] multivariate draws jointly from `correlations`, by default the identity', async () => {
  const pair = [{ name: 'a' }, { name: 'b' }];
  const correlation = async (matrix?: number[][]) => {
    const values = (await api.values(multivariate(pair, matrix), { count: 5_000 })) as Record<
      string,
      number
    >[];
    return mean(values.map(({ a = 0, b = 0 }) => a * b));
  };
  const strong = await correlation([
    [1, 0.8],
    [0.8, 1],
  ]);
  expect(Math.abs(strong - 0.8)).toBeLessThan(0.1);
  expect(Math.abs(await correlation())).toBeLessThan(0.1);
});

it('[2.9.5/28] correlations must be square and positive-definite', async () => {
  const pair = [{ name: 'a' }, { name: 'b' }];
  for (const matrix of [
    [[1, 0]],
    [[1], [0]],
    [
      [1, 2],
      [2, 1],
    ],
  ])
    // prettier-ignore
    expect(await api.refusal(multivariate(pair, matrix))).toMatch(/^validation_error .*correlations/);
});

// Section 2.9, event sequences

const events = (...list: Json[]): Json => ({ type: 'event_sequence', events: list });
const anchor = { name: 'ordered', base: true, range: { start: '2025-01-01', end: '2025-02-01' } };
type Events = Record<string, string | null>;

it('[2.9.6/1, 2.9.6/4] The value maps each event name to an ISO-8601 datetime in chronological order', async () => {
  const shipped = { name: 'shipped', after: 'ordered', delay: { min: '1h', max: '3d' } };
  const paid = { name: 'paid', after: 'shipped', delay: { min: '0', max: '1w' } };
  const values = (await api.values(events(paid, shipped, anchor))) as Events[];
  for (const value of values) {
    const { ordered, shipped, paid } = value as Record<string, string>;
    expect(Object.keys(value).sort()).toEqual(['ordered', 'paid', 'shipped']);
    expect([ordered, shipped, paid].every((instant) => /^\d{4}-.*T.*Z$/.test(String(instant)))).toBe(true);
    expect([ordered, shipped, paid].toSorted()).toEqual([ordered, shipped, paid]);
  }
});

it('[2.9.6/5, 2.9.6/6] An anchor lands in its range { start, end }, ISO or relative', async () => {
  const values = (await api.values(events(anchor))) as Events[];
  expect(values.every(({ ordered }) => /^2025-01-|^2025-02-01T00:00:00.000Z/.test(String(ordered)))).toBe(
    true,
  );
  const range = { start: '-7days', end: 'now' };
  const relative = (await api.values(events({ ...anchor, range }))) as Events[];
  expect(relative.every(({ ordered }) => /^2025-12-|^2026-01-01T00:00:00.000Z/.test(String(ordered)))).toBe(
    true,
  );
});

/** Returns the shortest and the longest delay in seconds. */
async function delays(delay: Json): Promise<[number, number]> {
  const values = (await api.values(events(anchor, { name: 'next', after: 'ordered', delay }), {
    count: 300,
  })) as Events[];
  const seconds = values.map(
    ({ ordered, next }) => (Date.parse(String(next)) - Date.parse(String(ordered))) / 1000,
  );
  return [Math.min(...seconds), Math.max(...seconds)];
}

it('[2.9.6/7, 2.9.6/9] `after` names the predecessor; the event is it plus a delay between min and max', async () => {
  const [least, greatest] = await delays({ min: '10s', max: '20s' });
  expect([least >= 10, least < 12, greatest > 18, greatest <= 20]).toEqual([true, true, true, true]);
});

it('[2.9.6/1, 2.9.6/8] An event whose probability fails is null, and so are its dependents', async () => {
  const maybe = { name: 'maybe', after: 'ordered', probability: 0.5, delay: { min: '1h', max: '2h' } };
  const then = { name: 'then', after: 'maybe', delay: { min: '1h', max: '2h' } };
  const values = (await api.values(events(anchor, maybe, then), { count: 1_000 })) as Events[];
  expect(values.every(({ maybe, then }) => (maybe === null) === (then === null))).toBe(true);
  expect(
    share(
      values.map(({ maybe }) => maybe),
      null,
    ),
  ).toBeGreaterThan(0.4);
  const certain = { name: 'maybe', after: 'ordered', probability: 0, delay: { min: '1h', max: '2h' } };
  const skipped = (await api.values(events(anchor, certain, then))) as Events[];
  expect(skipped.every(({ maybe, then }) => maybe === null && then === null)).toBe(true);
});

it('[2.9.6/2] `events` is required and has at least one element', async () => {
  expect(await api.refusal(events())).toMatch(/^validation_error .*events/);
  expect(await api.refusal({ type: 'event_sequence' })).toMatch(/^validation_error .*events/);
});

it('[2.9.6/4] The name of an event is required', async () => {
  expect(await api.refusal(events({ base: true }))).toMatch(/^validation_error .*events\[0\]\.name/);
});

it('[2.9.6/5, 2.9.6/10] An anchor is needed: an event with base: true or without after', async () => {
  const a = { name: 'a', after: 'b', delay: { min: '1s', max: '2s' } };
  const b = { name: 'b', after: 'a', delay: { min: '1s', max: '2s' } };
  expect(await api.refusal(events(a, b))).toContain('validation_error');
  const unmarked = { name: 'ordered', range: anchor.range };
  expect(await api.values(events(unmarked), { count: 1 })).toHaveLength(1);
});

it('[2.9.6/10] Every after must name a defined event', async () => {
  expect(await api.refusal(events(anchor, { name: 'a', after: 'none' }))).toMatch(
    /^validation_error .*after/,
  );
});

it('[2.9.6/11] A delay is a number and a unit: s (or none), m, h, d, w', async () => {
  const units: [string, number][] = [['', 1], ['s', 1], ['m', 60], ['h', 3600], ['d', 86_400], ['w', 604_800]]; // prettier-ignore
  for (const [unit, seconds] of units)
    expect(await delays({ min: `3${unit}`, max: `3${unit}` })).toEqual([3 * seconds, 3 * seconds]);
  const wrong = { name: 'a', after: 'ordered', delay: { min: '3y', max: '4y' } };
  expect(await api.refusal(events(anchor, wrong))).toMatch(/^validation_error .*delay/);
});

it('[2.9.6/8] The gate of an event is rolled on a sub-stream of its own: it moves no other value', async () => {
  const next = { name: 'next', after: 'ordered', delay: { min: '1h', max: '9d' } };
  const last = { name: 'last', after: 'ordered', delay: { min: '1h', max: '9d' } };
  const always = (await api.values(events(anchor, next, last))) as Events[];
  const gated = (await api.values(events(anchor, { ...next, probability: 0.5 }, last))) as Events[];
  expect(gated.some((value) => value['next'] === null)).toBe(true);
  expect(gated.map((value, i) => ({ ...value, next: value['next'] ?? always[i]?.['next'] }))).toEqual(always);
});

// Section 2.9, compositions

it('[2.9.7/1] Compositions nest 20 levels deep', async () => {
  let nested: Json = { type: 'list', values: ['deep'] };
  for (let i = 0; i < 20; i += 1) nested = { let: { inner: nested }, body: '{{inner}}' };
  expect(await api.values(nested, { count: 1 })).toEqual(['deep']);
});

it('[2.9.7/8] let steps are evaluated in dependency order, not in the order they are written in', async () => {
  const steps = {
    c: { computed: 'b + 1' },
    b: { computed: 'a + 1' },
    a: { type: 'list', values: [1] },
  };
  expect(await api.values({ let: steps, output: '{{c}}' }, { count: 1 })).toEqual([3]);
});

it('[2.9.7/8] A cycle in let errors', async () => {
  const steps = { a: { computed: 'b' }, b: { computed: 'a' } };
  expect(await api.refusal({ let: steps, body: '{{a}}' })).toContain('validation_error');
});

it('[2.9.7/9] A composition has exactly one output form', async () => {
  expect(await api.refusal({ body: 'a', output: 'b' })).toContain('validation_error');
  expect(await api.refusal({ let: { a: { computed: '1' } } })).toContain('validation_error');
});

it('[2.9.7/11] A misspelled reference fails before anything runs', async () => {
  const refusal = await api.refusal({ let: { name: { computed: '1' } }, body: '{{nmae}}' });
  expect(refusal).toMatch(/^validation_error schema\.generators\.it\.body: .*nmae/);
});

it('[2.9.7/13] A let step may be any definition, whose string params are templates over the locals', async () => {
  const steps = {
    low: { type: 'list', values: [5] },
    number: svc('int_between', { min: '{{low}}', max: '{{low}}' }),
    named: { use: '@svc/core:list', params: { values: ['x{{low}}'] } },
  };
  const output = { number: '{{number}}', named: '{{named}}' };
  expect(await api.values({ let: steps, output }, { count: 1 })).toEqual([{ number: 5, named: 'x5' }]);
});

it('[2.9.7/14] A let step may be `{ computed: <expression> }` over other locals', async () => {
  const steps = { a: { type: 'list', values: [2] }, b: { computed: 'round(a * 1.255, 2)' } };
  expect(await api.values({ let: steps, output: '{{b}}' }, { count: 1 })).toEqual([2.51]);
});

const repeat = (members: Json): Json => ({
  let: { items: { repeat: { of: svc('uuid_v4'), ...members } } },
  output: '{{items}}',
});
const sizes = async (members: Json) =>
  new Set((await api.values(repeat(members))).map((items) => (items as unknown[]).length));

it('[2.9.7/15] A let step may be { repeat: { count, of, unique? } }: an array of count items', async () => {
  const [items] = (await api.values(repeat({ count: 3 }), { count: 1 })) as string[][];
  expect(new Set(items).size).toBe(3);
});

it('[2.9.7/17] count of repeat is an integer, a range a-b drawn again each time, or an expression floored to an integer', async () => {
  expect(await sizes({ count: 2 })).toEqual(new Set([2]));
  expect([...(await sizes({ count: '1-3' }))].sort()).toEqual([1, 2, 3]);
  const expression = {
    let: { n: { computed: '2.9' }, items: { repeat: { count: 'n', of: svc('boolean') } } },
  };
  expect(await api.values({ ...expression, output: '{{length(items)}}' }, { count: 1 })).toEqual([2]);
});

it('[2.9.7/18] The params of the items of repeat are interpolated against the locals', async () => {
  const steps = {
    base: { type: 'list', values: [40] },
    items: { repeat: { count: 2, of: svc('int_between', { min: '{{base}}', max: '{{base}}' }) } },
  };
  expect(await api.values({ let: steps, output: '{{items}}' }, { count: 1 })).toEqual([[40, 40]]);
});

it('[2.9.7/19] repeat with unique gives distinct items, with up to 200 retries each; failing to fill errors', async () => {
  const letters = { type: 'list', values: ['a', 'b', 'c'] };
  const [items] = (await api.values(repeat({ count: 3, of: letters, unique: true }), {
    count: 1,
  })) as string[][];
  expect(items?.toSorted()).toEqual(['a', 'b', 'c']);
  const seldom = { type: 'list', values: SELDOM_B };
  expect(await api.refusal(repeat({ count: 2, of: seldom, unique: true }))).toMatch(
    /^generation_failed .*200/,
  );
  expect(await api.refusal(repeat({ count: 4, of: letters, unique: true }))).toMatch(/^validation_error /);
});

it('[2.9.7/21] body is a template that gives a string', async () => {
  const body = 'INV-{{n}}';
  expect(await api.values({ let: { n: { type: 'list', values: [7] } }, body }, { count: 1 })).toEqual([
    'INV-7',
  ]);
  expect(
    await api.values({ let: { n: { type: 'list', values: [7] } }, body: '{{n}}' }, { count: 1 }),
  ).toEqual(['7']);
});

it('[2.9.7/22] variants is a weighted choice among templates; weight defaults to 1, 0 means never', async () => {
  const variants = [{ pattern: 'a{{1}}', weight: 3 }, { pattern: 'b' }, { pattern: 'never', weight: 0 }];
  const values = await api.values({ variants }, { count: 5_000 });
  expect(new Set(values)).toEqual(new Set(['a1', 'b']));
  expect(Math.abs(share(values, 'a1') - 0.75)).toBeLessThan(0.03);
});

it('[2.9.7/22] An empty or all-zero set of variants errors', async () => {
  for (const variants of [[], [{ pattern: 'a', weight: 0 }]])
    expect(await api.refusal({ variants })).toMatch(/^validation_error .*variants/);
});

it('[2.9.7/23] output is structured JSON; a leaf that is one whole expression keeps its native type', async () => {
  const steps = { n: { type: 'list', values: [7] }, on: { computed: 'n > 3' } };
  const output = { n: '{{n}}', text: 'n={{n}}', list: ['{{on}}', null, 1.5], deep: { on: '{{on}}' } };
  expect(await api.values({ let: steps, output }, { count: 1 })).toEqual([
    { n: 7, text: 'n=7', list: [true, null, 1.5], deep: { on: true } },
  ]);
});
