import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startGeneration, svc, type GenerationHarness, type Json } from './generation-harness.js';
import { requirement } from './requirement.js';

const WORDS = join(__dirname, '../../../../libs/builtin-models/assets/en_US/words.list.json');
/** What the built-in model of English words was trained on: it ships beside the model. */
const learnedWords = new Set(
  (JSON.parse(readFileSync(WORDS, 'utf8')) as { values: (string | { value: string })[] }).values.map(
    (word) => (typeof word === 'string' ? word : word.value),
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

// 2.9, the forms

requirement('2.9.1', async () => {
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

requirement('2.9.2', async () => {
  const values = await api.values({ use: '@svc/core:list', params: { values: ['a'] } });
  expect(new Set(values)).toEqual(new Set(['a']));
  expect(await api.refusal({ use: '@acme/none:such' })).toContain('validation_error');
});

requirement('2.9.3', async () => {
  const params = { min: 1, max: 6 };
  for (const type of ['svc', 'logic', 'the service']) {
    await expectSame(
      { type, algorithm: 'int_between', params },
      { use: '@svc/core:logic.int_between', params },
    );
  }
});

requirement('2.9.4', () =>
  expectSame(
    { type: 'list', source: 'inline', values: ['a', 'b', 'c'], where: "item != 'b'" },
    {
      use: '@svc/core:list',
      params: { source: 'inline', values: ['a', 'b', 'c'], where: "item != 'b'" },
    },
  ),
);

requirement('2.9.5', async () => {
  const params = { source: FIRST_NAMES, generation: { mode: 'word' } };
  await expectSame({ type: 'model', ...params }, { use: '@svc/core:model', params });
});

requirement('2.9.6', async () => {
  const forms: Json[] = [
    { mode: 'categorical', values: [{ value: 'a' }, { value: 'b', weight: 2 }] },
    { distribution: 'normal', params: { mean: 5 }, differential_privacy: { enabled: true } },
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

requirement('2.9.7', async () => {
  const params = { events: [{ name: 'a', base: true, range: { start: '2020-01-01', end: '2021-01-01' } }] };
  await expectSame({ type: 'event_sequence', ...params }, { use: '@svc/core:event_sequence', params });
});

requirement('2.9.8', async () => {
  const template = await api.refusal({ type: 'template', pattern: '{{uuid}}@example.com' });
  expect(template).toContain('validation_error schema.generators.it');
  expect(template).toContain('{"body":"{{uuid}}@example.com"}');
  expect(await api.refusal({ type: 'linked' })).toMatch(/^validation_error .*list/);
});

// 2.9, modifiers

requirement('2.9 modifiers.1', async () => {
  const values = await api.values({ ...svc('int_between', { min: 1, max: 100 }), unique: true });
  expect(new Set(values).size).toBe(100);
});

/** Two values, of which 200 attempts do not find the second. */
const SELDOM_B = [
  { value: 'a', weight: 1 },
  { value: 'b', weight: 1e-9 },
];

requirement('2.9 modifiers.2', async () => {
  const two = { type: 'list', values: SELDOM_B, unique: true };
  expect(await api.refusal(two, { count: 2 })).toMatch(/^generation_failed .*200/);
  // What cannot be is found before the first record.
  expect(await api.refusal(two, { count: 3 })).toMatch(/^validation_error /);
});

requirement('2.9 modifiers.3', async () => {
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
});

requirement('2.9 modifiers.4', async () => {
  const values = await api.values({ ...svc('boolean'), nullable: true }, { count: 10_000 });
  expect(share(values, null)).toBeCloseTo(0.1, 1);
});

requirement('2.9 modifiers.5', async () => {
  const rate = async (nullable: number) =>
    share(await api.values({ ...svc('boolean'), nullable }, { count: 2_000 }), null);
  expect([await rate(0), await rate(1)]).toEqual([0, 1]);
  expect(await rate(0.3)).toBeCloseTo(0.3, 1);
  for (const nullable of [-0.1, 1.1])
    expect(await api.refusal({ ...svc('boolean'), nullable })).toMatch(/^validation_error .*nullable/);
});

requirement('2.9 modifiers.6', async () => {
  const definition = svc('int_between');
  const without = await api.values(definition);
  const values = await api.values({ ...definition, nullable: 0.5 });
  expect(values).toContain(null);
  expect(values.map((value, i) => value ?? without[i])).toEqual(without);
});

requirement('2.9 modifiers.7', async () => {
  const definition = svc('int_between', { min: 1, max: 9 });
  const plain = await numbers(definition);
  expect(await api.values({ ...definition, transform: 'value * 10' })).toEqual(plain.map((n) => n * 10));
});

// 2.9, the service generators

requirement('2.9 service.1', async () => {
  for (const algorithm of ['uuid_v4', 'int_between', 'sequence', 'gaussian', 'datetime_between']) {
    const alone = await api.values(svc(algorithm), { count: 100 });
    const beside = { other: svc('uuid_v4'), another: svc('gaussian') };
    expect(await api.values(svc(algorithm), { count: 7, beside })).toEqual(alone.slice(0, 7));
  }
});

requirement('2.9 service.2', async () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect((await texts(svc('uuid_v4'))).every((value) => uuid.test(value))).toBe(true);
  expect(await api.refusal(svc('uuid_v4', { length: 1 }))).toContain('validation_error');
});

requirement('2.9 service.3', async () => {
  const values = await texts(svc('uuid_v7'));
  const instants = values.map((value) => Number.parseInt(value.replace('-', '').slice(0, 12), 16));
  expect(instants).toEqual(values.map((_, i) => Date.UTC(2026, 0, 1) + i));
  expect(values.toSorted()).toEqual(values);
  expect(values.every((value) => value[14] === '7')).toBe(true);
});

requirement('2.9 service.4', async () => {
  const values = await texts(svc('ulid'));
  expect(values.every((value) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(value))).toBe(true);
});

requirement('2.9 service.5', async () => {
  const lengths = async (params?: Json) =>
    new Set((await texts(svc('nanoid', params))).map((value) => value.length));
  expect([await lengths(), await lengths({ length: 8 })]).toEqual([new Set([21]), new Set([8])]);
});

requirement('2.9 service.6', async () => {
  const wide = await numbers(svc('int_between'));
  expect(wide.every((n) => Number.isInteger(n) && n >= 0 && n <= 2_147_483_647)).toBe(true);
  expect(Math.max(...wide)).toBeGreaterThan(1_900_000_000);
  const narrow = await numbers(svc('int_between', { min: -1, max: 1 }));
  expect(new Set(narrow)).toEqual(new Set([-1, 0, 1]));
});

requirement('2.9 service.7', async () => {
  const values = await numbers(svc('float_between'));
  expect(values.every((x) => x >= 0 && x <= 1 && hasDecimals(x, 2))).toBe(true);
  const precise = await numbers(svc('float_between', { min: 5, max: 6, precision: 4 }));
  expect(precise.every((x) => x >= 5 && x <= 6 && hasDecimals(x, 4))).toBe(true);
  expect(precise.some((x) => !hasDecimals(x, 3))).toBe(true);
});

requirement('2.9 service.8', async () => {
  const rate = async (params?: Json) =>
    share(await api.values(svc('boolean', params), { count: 2_000 }), true);
  expect(await rate()).toBeCloseTo(0.5, 1);
  expect([await rate({ probability: 7 }), await rate({ probability: -7 })]).toEqual([1, 0]);
});

async function expectInstants(algorithm: string, shape: RegExp): Promise<void> {
  const values = await texts(svc(algorithm));
  expect(values.every((value) => shape.test(value))).toBe(true);
  const years = values.map((value) => new Date(value).getUTCFullYear());
  expect([Math.min(...years) >= 1970, Math.max(...years) <= 2038]).toEqual([true, true]);
  expect(Math.max(...years) - Math.min(...years)).toBeGreaterThan(50);
  const within = await texts(svc(algorithm, { start: '2020-02-01', end: '2020-02-29' }));
  expect(within.every((value) => value.startsWith('2020-02-'))).toBe(true);
}

requirement('2.9 service.9', () =>
  expectInstants('datetime_between', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
);

requirement('2.9 service.10', () => expectInstants('date_between', /^\d{4}-\d\d-\d\d$/));

requirement('2.9 service.11', async () => {
  const values = await texts(svc('time_between'));
  expect(values.every((value) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value))).toBe(true);
  expect([values.some((value) => value < '03'), values.some((value) => value > '21')]).toEqual([true, true]);
});

requirement('2.9 service.12', async () => {
  const values = await numbers(svc('timestamp'));
  const last = Date.UTC(2038, 0, 1) / 1000;
  expect(values.every((n) => Number.isInteger(n) && n >= 0 && n <= last)).toBe(true);
  expect(Math.max(...values)).toBeGreaterThan(last * 0.9);
});

requirement('2.9 service.13', async () => {
  expect(await api.values(svc('sequence'), { count: 3 })).toEqual([1, 2, 3]);
  expect(await api.values(svc('sequence', { start: 10, step: -5 }), { count: 3 })).toEqual([10, 5, 0]);
});

requirement('2.9 service.14', async () => {
  const values = await numbers(svc('gaussian'), { count: 5_000 });
  expect(values.every((x) => hasDecimals(x, 6))).toBe(true);
  expect(mean(values)).toBeCloseTo(0, 1);
  expect(mean(values.map((x) => x * x))).toBeCloseTo(1, 0);
  expect(mean(await numbers(svc('gaussian', { mean: 50, stddev: 0.1 })))).toBeCloseTo(50, 0);
});

requirement('2.9 service.15', async () => {
  const values = await numbers(svc('exponential'), { count: 5_000 });
  expect(values.every((x) => x >= 0 && hasDecimals(x, 6))).toBe(true);
  expect(mean(values)).toBeCloseTo(1, 0);
  expect(mean(await numbers(svc('exponential', { lambda: 100 })))).toBeCloseTo(0.01, 1);
});

requirement('2.9 service.16', async () => {
  const one = await numbers(svc('digits'));
  expect(one.every((n) => Number.isInteger(n) && n >= 0 && n <= 9)).toBe(true);
  await expectSame(svc('digits', { digits: 0 }), svc('digits', { digits: 1 }));
  await expectSame(svc('digits', { digits: 40 }), svc('digits', { digits: 18 }));
});

requirement('2.9 service.17', async () => {
  expect(await api.refusal(svc('int_between', { min: 2, max: 1 }))).toContain('min 2 is greater than max 1');
});

requirement('2.9 service.18', async () => {
  const values = await api.values(svc('int_between', { min: 1, max: 5, except: [2, 4] }));
  expect(new Set(values)).toEqual(new Set([1, 3, 5]));
});

requirement('2.9 service.19', async () => {
  expect(await api.refusal(svc('int_between', { min: 1, max: 2, except: [1, 2] }))).toMatch(/except/);
});

requirement('2.9 service.20', async () => {
  expect(await api.refusal(svc('int_between', { min: 7, max: 7, except: [7] }))).toMatch(/except/);
  // 1000 tries would avoid all but one of 5,000 numbers in one record of six.
  const except = Array.from({ length: 5_000 }, (_, i) => i).filter((value) => value !== 4_321);
  const values = await api.values(svc('int_between', { min: 0, max: 4_999, except }));
  expect(new Set(values)).toEqual(new Set([4_321]));
});

requirement('2.9 service.21', async () => {
  expect(await api.refusal(svc('float_between', { min: 2, max: 1 }))).toContain(
    'min 2 is greater than max 1',
  );
});

requirement('2.9 service.22', async () => {
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
  const dates = await texts(svc('date_between', { start: 'today', end: 'today' }), options);
  expect(new Set(dates)).toEqual(new Set(['2026-01-01']));
  const seconds = await numbers(svc('timestamp', { start: 'now', end: 'now' }), options);
  expect(new Set(seconds)).toEqual(new Set([now / 1000]));
});

requirement('2.9 service.23', async () => {
  const [start, end] = ['2020-01-01', '2021-01-01'];
  for (const algorithm of ['datetime_between', 'date_between', 'timestamp'])
    await expectSame(svc(algorithm, { start, end }), svc(algorithm, { start: end, end: start }));
});

requirement('2.9 service.24', async () => {
  const values = await texts(svc('time_between', { start: '09:30', end: '09:30:01' }));
  expect(new Set(values)).toEqual(new Set(['09:30:00', '09:30:01']));
});

requirement('2.9 service.25', async () => {
  const strict = await numbers(svc('digits', { digits: 2, strict: true }), { count: 1_000 });
  expect([Math.min(...strict), Math.max(...strict)]).toEqual([10, 99]);
  const loose = await numbers(svc('digits', { digits: 2 }), { count: 1_000 });
  expect([Math.min(...loose), Math.max(...loose)]).toEqual([0, 99]);
});

requirement('2.9 service.26', async () => {
  const params = { digits: 3, leading_zero: true };
  const padded = await texts(svc('digits', params));
  expect(padded.every((value) => /^\d{3}$/.test(value))).toBe(true);
  expect(padded.some((value) => value.startsWith('0'))).toBe(true);
  expect(padded.map(Number)).toEqual(await api.values(svc('digits', { digits: 3 })));
});

// 2.9, list

requirement('2.9 list.1', async () => {
  const values = ['a', 'b'];
  await expectSame({ type: 'list', values }, { type: 'list', source: 'inline', values });
  expect(new Set(await api.values({ type: 'list', values }))).toEqual(new Set(values));
});

requirement('2.9 list.2', async () => {
  const definition = {
    type: 'list',
    values: [
      { value: 'a', weight: 1 },
      { value: 'b', weight: 3 },
    ],
  };
  const values = await api.values(definition, { count: 10_000 });
  expect(share(values, 'b')).toBeCloseTo(0.75, 1);
  expect(await api.values(definition, { count: 10_000 })).toEqual(values);
});

requirement('2.9 list.3', async () => {
  const towns = await texts({ type: 'list', source: 'en_US/cities' });
  expect(towns.every((town) => town.length > 0)).toBe(true);
  await expectSame(
    { type: 'list', source: 'en_US/cities' },
    { type: 'list', source: { asset: 'en_US/cities' } },
  );
  expect(await api.refusal({ type: 'list', source: 'en_US/none' })).toMatch(/^validation_error .*source/);
});

requirement('2.9 list.4', async () => {
  const beside = { state: { type: 'list', values: ['TX'] } };
  const towns = await texts({ type: 'list', source: 'en_US/cities_by_state', key: '{{state}}' }, { beside });
  expect(towns).toContain('Houston');
  expect(towns).not.toContain('Chicago');
});

requirement('2.9 list.5', async () => {
  const cities = [
    { city: 'Delft', in: 'nl' },
    { city: 'Lyon', in: 'fr' },
    { city: 'Nice', in: 'fr' },
  ];
  const beside = { country: { type: 'list', values: ['fr'] } };
  const values = await api.values({ type: 'list', values: cities, where: 'item.in == country' }, { beside });
  expect(new Set(values.map((value) => (value as { city: string }).city))).toEqual(new Set(['Lyon', 'Nice']));
});

requirement('2.9 list.6', async () => {
  const values = ['text', 7, true, null];
  expect(new Set(await api.values({ type: 'list', values }))).toEqual(new Set(values));
});

requirement('2.9 list.7', async () => {
  const values = [{ value: 'a' }, { value: 'b', weight: 1 }, { value: 'never', weight: 0 }];
  const picked = await api.values({ type: 'list', values }, { count: 2_000 });
  expect(new Set(picked)).toEqual(new Set(['a', 'b']));
  expect(share(picked, 'a')).toBeCloseTo(0.5, 1);
});

requirement('2.9 list.8', async () => {
  const record = { code: 'nl', name: 'Netherlands' };
  expect(await api.values({ type: 'list', values: [record] }, { count: 1 })).toEqual([record]);
});

requirement('2.9 list.9', async () => {
  expect(await api.refusal({ type: 'list', values: [] })).toContain('schema.generators.it');
  const unmatched = { type: 'list', values: [1, 2], where: 'item > 2' };
  expect(await api.refusal(unmatched)).toContain('schema.generators.it');
});

requirement('2.9 list.10', async () => {
  expect(await api.refusal({ type: 'list', values: [{ value: 1, weight: 0 }] })).toMatch(/weight/);
});

requirement('2.9 list.11', async () => {
  const definition = { type: 'list', source: 'en_US/cities_by_state', key: 'XX' };
  expect(await api.refusal(definition)).toMatch(/^validation_error schema\.generators\.it\.key/);
});

// 2.9, model

const model = (members: Json = {}): Json => ({ type: 'model', source: FIRST_NAMES, ...members });
const mode = (name: string, params?: Json): Json =>
  model({ source: 'en_US/words', generation: { mode: name, ...(params && { params }) } });
const words = (text: string) => text.split(/\s+/);

requirement('2.9 model.1', async () => {
  const values = await texts(model());
  expect(values.every((value) => value.length > 0)).toBe(true);
  expect(await api.values(model())).toEqual(values);
  expect(await api.values(model(), { seed: 2 })).not.toEqual(values);
  expect(await api.refusal({ type: 'model' })).toMatch(/source/);
});

requirement('2.9 model.2', () => expectSame(model(), model({ generation: { mode: 'word' } })));

requirement('2.9 model.3', async () => {
  const constraints = { starts_with: 'M', min_length: 4, max_length: 6 };
  const values = await texts(model({ constraints }));
  expect(values.every((value) => /^M.{3,5}$/.test(value))).toBe(true);
});

requirement('2.9 model.4', async () => {
  const sentences = await texts(mode('sentence', { word_count: 5, punctuation: ['!', '?'] }));
  expect(sentences.every((value) => words(value).length === 5 && /[!?]$/.test(value))).toBe(true);
  expect((await texts(mode('sentence'))).every((value) => value.endsWith('.'))).toBe(true);
  const begun = await texts(mode('sentence', { starts_with: 'th' }));
  expect(begun.every((value) => value.toLowerCase().startsWith('th'))).toBe(true);
});

requirement('2.9 model.5', async () => {
  const lengths = (await texts(mode('text'))).map((value) => value.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(200);
  expect(Math.max(...lengths)).toBeGreaterThan(100);
  const short = await texts(mode('text', { max_chars: 60, suffix: '…', starts_with: 'th' }));
  expect(short.every((value) => value.length <= 60 && value.endsWith('…') && /^th/i.test(value))).toBe(true);
});

requirement('2.9 model.6', async () => {
  const values = await texts(mode('paragraph', { sentence_count: 3, starts_with: 'th' }));
  expect(values.every((value) => value.split('.').length === 4 && /^th/i.test(value))).toBe(true);
  expect((await texts(mode('paragraph'))).every((value) => value.length > 0)).toBe(true);
});

requirement('2.9 model.7', async () => {
  const poems = await texts(mode('poem'));
  expect(poems.every((poem) => poem.split('\n').filter(Boolean).length === 4)).toBe(true);
  expect(poems.every((poem) => poem.split('\n').every((verse) => words(verse).length <= 8))).toBe(true);
  const [poem = ''] = await texts(mode('poem', { verses: 4, stanza_length: 2, max_words: 3 }), { count: 1 });
  expect(poem.split('\n\n').map((stanza) => stanza.split('\n').length)).toEqual([2, 2]);
  expect(poem.split('\n').every((verse) => words(verse).length <= 3)).toBe(true);
});

requirement('2.9 model.8', async () => {
  const poems = await texts(mode('acrostic', { initials: 'abc', max_words: 4 }));
  for (const poem of poems) {
    const verses = poem.split('\n');
    expect(verses.map((verse) => verse[0]?.toLowerCase())).toEqual(['a', 'b', 'c']);
    expect(verses.every((verse) => words(verse).length <= 4)).toBe(true);
  }
});

requirement('2.9 model.9', async () => {
  expect(await api.refusal(mode('acrostic', { initials: 'aя' }))).toContain('schema.generators.it');
});

requirement('2.9 model.10', async () => {
  const realWord = (params: Json) =>
    model({ source: 'en_US/words', generation: { mode: 'real_word', params } });
  const any = await texts(realWord({}));
  expect(any.filter((value) => !learnedWords.has(value))).toEqual([]);
  const begun = await texts(realWord({ prefix: 'ab' }));
  expect(begun.filter((value) => !learnedWords.has(value) || !value.startsWith('ab'))).toEqual([]);
  expect(new Set(await api.values(realWord({ prefix: 'я' })))).toEqual(new Set([null]));
});

requirement('2.9 model.11', async () => {
  const generation = { mode: 'sentence' };
  const texts = await api.values(
    model({ source: 'en_US/words', generation, constraints: { starts_with: 'th' } }),
  );
  expect(texts).toEqual(await api.values(mode('sentence', { starts_with: 'th' })));
});

requirement('2.9 model.12', async () => {
  const values = await texts(model({ constraints: { starts_with: 'Jo' } }));
  expect(values.every((value) => value.startsWith('Jo'))).toBe(true);
});

requirement('2.9 model.13', async () => {
  const values = await texts(model({ constraints: { ends_with: 'a' } }));
  expect(values.every((value) => value.endsWith('a'))).toBe(true);
});

requirement('2.9 model.14', async () => {
  const values = await texts(model({ constraints: { contains: 'nn' } }));
  expect(values.every((value) => value.includes('nn'))).toBe(true);
});

requirement('2.9 model.15', async () => {
  const values = await texts(model({ constraints: { min_length: 5, max_length: 6 } }));
  expect(new Set(values.map((value) => value.length))).toEqual(new Set([5, 6]));
});

requirement('2.9 model.16', async () => {
  const constraints = { exclude_originals: true };
  const values = await texts(model({ source: 'en_US/words', constraints }), { count: 500 });
  expect(values.filter((value) => learnedWords.has(value))).toEqual([]);
});

// 2.9, statistical

const statistical = (members: Json): Json => ({ type: 'statistical', ...members });

requirement('2.9 statistical.1', () =>
  expectSame(
    statistical({ distribution: 'normal' }),
    statistical({ mode: 'continuous', distribution: 'normal' }),
  ),
);

requirement('2.9 statistical.2', async () => {
  expect(await api.refusal(statistical({ mode: 'algebraic' }))).toMatch(/^validation_error .*computed/);
});

requirement('2.9 statistical.3', async () => {
  const values = [{ value: 'a', weight: 3 }, { value: 7 }, { value: 'never', weight: 0 }];
  const picked = await api.values(statistical({ mode: 'categorical', values }), { count: 5_000 });
  expect(new Set(picked)).toEqual(new Set(['a', 7]));
  expect(share(picked, 'a')).toBeCloseTo(0.75, 1);
});

requirement('2.9 statistical.4', async () => {
  for (const values of [[], [{ value: 'a', weight: 0 }]])
    expect(await api.refusal(statistical({ mode: 'categorical', values }))).toContain('validation_error');
});

requirement('2.9 statistical.5', async () => {
  await expectSame(statistical({}), statistical({ distribution: 'normal' }));
  expect((await numbers(statistical({}))).every((x) => hasDecimals(x, 6))).toBe(true);
});

/** The defaults are those stated, and the mean is that of the distribution with other parameters too. */
async function expectDistribution(
  distribution: string,
  defaults: Json,
  expected: number,
  other: { params: Json; expected: number },
): Promise<void> {
  await expectSame(statistical({ distribution }), statistical({ distribution, params: defaults }));
  const values = await numbers(statistical({ distribution }), { count: 20_000 });
  expect(Math.abs(mean(values) - expected)).toBeLessThan(0.1);
  const { params } = other;
  const others = await numbers(statistical({ distribution, params }), { count: 20_000 });
  expect(Math.abs(mean(others) - other.expected)).toBeLessThan(0.1);
}

requirement('2.9 statistical.6', () =>
  expectDistribution('normal', { mean: 0, stddev: 1 }, 0, { params: { mean: 5, stddev: 2 }, expected: 5 }),
);
requirement('2.9 statistical.7', () =>
  expectDistribution('lognormal', { mu: 0, sigma: 1 }, Math.exp(0.5), {
    params: { mu: 1, sigma: 0.1 },
    expected: Math.exp(1.005),
  }),
);
requirement('2.9 statistical.8', () =>
  expectDistribution('exponential', { lambda: 1 }, 1, { params: { lambda: 4 }, expected: 0.25 }),
);
requirement('2.9 statistical.9', () =>
  expectDistribution('uniform', { min: 0, max: 1 }, 0.5, { params: { min: 2, max: 4 }, expected: 3 }),
);
requirement('2.9 statistical.10', () =>
  expectDistribution('poisson', { lambda: 1 }, 1, { params: { lambda: 9 }, expected: 9 }),
);
requirement('2.9 statistical.11', () =>
  expectDistribution('beta', { alpha: 1, beta: 1 }, 0.5, { params: { alpha: 3, beta: 1 }, expected: 0.75 }),
);
requirement('2.9 statistical.12', () =>
  expectDistribution('gamma', { shape: 1, scale: 1 }, 1, { params: { shape: 2, scale: 2 }, expected: 4 }),
);

requirement('2.9 statistical.13', async () => {
  const within = await numbers(statistical({ constraints: { min: -1, max: 0.5 } }), { count: 2_000 });
  expect(within.every((x) => x >= -1 && x <= 0.5)).toBe(true);
  const far = await api.values(statistical({ constraints: { min: 100, max: 200 } }));
  expect(new Set(far)).toEqual(new Set([100]));
});

const withNoise = (noise: Json): Json => statistical({ differential_privacy: noise });

requirement('2.9 statistical.15', async () => {
  const plain = await numbers(statistical({}));
  expect(await api.values(withNoise({ enabled: false }))).toEqual(plain);
  expect(await api.values(withNoise({}))).toEqual(plain);
  expect(await api.values(withNoise({ enabled: true }))).not.toEqual(plain);
});

requirement('2.9 statistical.16', async () => {
  const enabled = true;
  await expectSame(
    withNoise({ enabled }),
    withNoise({ enabled, epsilon: 1, sensitivity: 1, mechanism: 'laplace' }),
  );
  const gaussian = await api.values(withNoise({ enabled, mechanism: 'gaussian' }));
  expect(gaussian).not.toEqual(await api.values(withNoise({ enabled })));
  expect(await api.refusal(withNoise({ enabled, mechanism: 'none' }))).toMatch(/mechanism/);
});

requirement('2.9 statistical.17', () =>
  expectSame(withNoise({ enabled: true, epsilon: 0 }), withNoise({ enabled: true, epsilon: 1e-6 })),
);

const multivariate = (variables: unknown, correlations?: unknown): Json =>
  statistical({ mode: 'multivariate', variables, ...(correlations !== undefined && { correlations }) });

requirement('2.9 statistical.19', async () => {
  const variables = [{ name: 'height', mean: 170, stddev: 10 }, { name: 'z' }];
  const values = (await api.values(multivariate(variables), { count: 2_000 })) as Record<string, number>[];
  expect(Object.keys(values[0] ?? {})).toEqual(['height', 'z']);
  expect(values.every((value) => Object.values(value).every((x) => hasDecimals(x, 6)))).toBe(true);
  expect(Math.abs(mean(values.map(({ height = 0 }) => height)) - 170)).toBeLessThan(1);
  expect(Math.abs(mean(values.map(({ z = 9 }) => z)))).toBeLessThan(0.1);
});

requirement('2.9 statistical.20', async () => {
  for (const variables of [[{ name: '' }], [{ name: 'a' }, { name: 'a' }], [{}], []])
    expect(await api.refusal(multivariate(variables))).toMatch(/^validation_error .*variables/);
});

requirement('2.9 statistical.21', async () => {
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

requirement('2.9 statistical.22', async () => {
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

// 2.9, event sequences

const events = (...list: Json[]): Json => ({ type: 'event_sequence', events: list });
const anchor = { name: 'ordered', base: true, range: { start: '2025-01-01', end: '2025-02-01' } };
type Events = Record<string, string | null>;

requirement('2.9 events.1', async () => {
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

requirement('2.9 events.2', async () => {
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

/** The least and the greatest delay seen, in seconds. */
async function delays(delay: Json): Promise<[number, number]> {
  const values = (await api.values(events(anchor, { name: 'next', after: 'ordered', delay }), {
    count: 300,
  })) as Events[];
  const seconds = values.map(
    ({ ordered, next }) => (Date.parse(String(next)) - Date.parse(String(ordered))) / 1000,
  );
  return [Math.min(...seconds), Math.max(...seconds)];
}

requirement('2.9 events.3', async () => {
  const [least, greatest] = await delays({ min: '10s', max: '20s' });
  expect([least >= 10, least < 12, greatest > 18, greatest <= 20]).toEqual([true, true, true, true]);
});

requirement('2.9 events.4', async () => {
  const maybe = { name: 'maybe', after: 'ordered', probability: 0.5, delay: { min: '1h', max: '2h' } };
  const then = { name: 'then', after: 'maybe', delay: { min: '1h', max: '2h' } };
  const values = (await api.values(events(anchor, maybe, then), { count: 1_000 })) as Events[];
  expect(values.every(({ maybe, then }) => (maybe === null) === (then === null))).toBe(true);
  expect(
    share(
      values.map(({ maybe }) => maybe),
      null,
    ),
  ).toBeCloseTo(0.5, 1);
});

requirement('2.9 events.5', async () => {
  expect(await api.refusal(events())).toMatch(/^validation_error .*events/);
  expect(await api.refusal({ type: 'event_sequence' })).toMatch(/^validation_error .*events/);
});

requirement('2.9 events.6', async () => {
  const a = { name: 'a', after: 'b', delay: { min: '1s', max: '2s' } };
  const b = { name: 'b', after: 'a', delay: { min: '1s', max: '2s' } };
  expect(await api.refusal(events(a, b))).toContain('validation_error');
  const unmarked = { name: 'ordered', range: anchor.range };
  expect(await api.values(events(unmarked), { count: 1 })).toHaveLength(1);
});

requirement('2.9 events.7', async () => {
  expect(await api.refusal(events(anchor, { name: 'a', after: 'none' }))).toMatch(
    /^validation_error .*after/,
  );
});

requirement('2.9 events.8', async () => {
  const units: [string, number][] = [['', 1], ['s', 1], ['m', 60], ['h', 3600], ['d', 86_400], ['w', 604_800]]; // prettier-ignore
  for (const [unit, seconds] of units)
    expect(await delays({ min: `3${unit}`, max: `3${unit}` })).toEqual([3 * seconds, 3 * seconds]);
  const wrong = { name: 'a', after: 'ordered', delay: { min: '3y', max: '4y' } };
  expect(await api.refusal(events(anchor, wrong))).toMatch(/^validation_error .*delay/);
});

requirement('2.9 events.9', async () => {
  const next = { name: 'next', after: 'ordered', delay: { min: '1h', max: '9d' } };
  const last = { name: 'last', after: 'ordered', delay: { min: '1h', max: '9d' } };
  const always = (await api.values(events(anchor, next, last))) as Events[];
  const gated = (await api.values(events(anchor, { ...next, probability: 0.5 }, last))) as Events[];
  expect(gated.some((value) => value['next'] === null)).toBe(true);
  expect(gated.map((value, i) => ({ ...value, next: value['next'] ?? always[i]?.['next'] }))).toEqual(always);
});

// 2.9, compositions

requirement('2.9 composition.5', async () => {
  let nested: Json = { type: 'list', values: ['deep'] };
  for (let i = 0; i < 20; i += 1) nested = { let: { inner: nested }, body: '{{inner}}' };
  expect(await api.values(nested, { count: 1 })).toEqual(['deep']);
});

requirement('2.9 composition.6', async () => {
  const steps = {
    c: { computed: 'b + 1' },
    b: { computed: 'a + 1' },
    a: { type: 'list', values: [1] },
  };
  expect(await api.values({ let: steps, output: '{{c}}' }, { count: 1 })).toEqual([3]);
});

requirement('2.9 composition.7', async () => {
  const steps = { a: { computed: 'b' }, b: { computed: 'a' } };
  expect(await api.refusal({ let: steps, body: '{{a}}' })).toContain('validation_error');
});

requirement('2.9 composition.8', async () => {
  expect(await api.refusal({ body: 'a', output: 'b' })).toContain('validation_error');
  expect(await api.refusal({ let: { a: { computed: '1' } } })).toContain('validation_error');
});

requirement('2.9 composition.10', async () => {
  const refusal = await api.refusal({ let: { name: { computed: '1' } }, body: '{{nmae}}' });
  expect(refusal).toMatch(/^validation_error schema\.generators\.it\.body: .*nmae/);
});

requirement('2.9 composition.13', async () => {
  const steps = {
    low: { type: 'list', values: [5] },
    number: svc('int_between', { min: '{{low}}', max: '{{low}}' }),
    named: { use: '@svc/core:list', params: { values: ['x{{low}}'] } },
  };
  const output = { number: '{{number}}', named: '{{named}}' };
  expect(await api.values({ let: steps, output }, { count: 1 })).toEqual([{ number: 5, named: 'x5' }]);
});

requirement('2.9 composition.14', async () => {
  const steps = { a: { type: 'list', values: [2] }, b: { computed: 'round(a * 1.255, 2)' } };
  expect(await api.values({ let: steps, output: '{{b}}' }, { count: 1 })).toEqual([2.51]);
});

const repeat = (members: Json): Json => ({
  let: { items: { repeat: { of: svc('uuid_v4'), ...members } } },
  output: '{{items}}',
});
const sizes = async (members: Json) =>
  new Set((await api.values(repeat(members))).map((items) => (items as unknown[]).length));

requirement('2.9 composition.15', async () => {
  const [items] = (await api.values(repeat({ count: 3 }), { count: 1 })) as string[][];
  expect(new Set(items).size).toBe(3);
});

requirement('2.9 composition.16', async () => {
  expect(await sizes({ count: 2 })).toEqual(new Set([2]));
  expect([...(await sizes({ count: '1-3' }))].sort()).toEqual([1, 2, 3]);
  const expression = {
    let: { n: { computed: '2.9' }, items: { repeat: { count: 'n', of: svc('boolean') } } },
  };
  expect(await api.values({ ...expression, output: '{{length(items)}}' }, { count: 1 })).toEqual([2]);
});

requirement('2.9 composition.17', async () => {
  const steps = {
    base: { type: 'list', values: [40] },
    items: { repeat: { count: 2, of: svc('int_between', { min: '{{base}}', max: '{{base}}' }) } },
  };
  expect(await api.values({ let: steps, output: '{{items}}' }, { count: 1 })).toEqual([[40, 40]]);
});

requirement('2.9 composition.18', async () => {
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

requirement('2.9 composition.19', async () => {
  const body = 'INV-{{n}}';
  expect(await api.values({ let: { n: { type: 'list', values: [7] } }, body }, { count: 1 })).toEqual([
    'INV-7',
  ]);
  expect(
    await api.values({ let: { n: { type: 'list', values: [7] } }, body: '{{n}}' }, { count: 1 }),
  ).toEqual(['7']);
});

requirement('2.9 composition.20', async () => {
  const variants = [{ pattern: 'a{{1}}', weight: 3 }, { pattern: 'b' }, { pattern: 'never', weight: 0 }];
  const values = await api.values({ variants }, { count: 5_000 });
  expect(new Set(values)).toEqual(new Set(['a1', 'b']));
  expect(share(values, 'a1')).toBeCloseTo(0.75, 1);
});

requirement('2.9 composition.21', async () => {
  for (const variants of [[], [{ pattern: 'a', weight: 0 }]])
    expect(await api.refusal({ variants })).toMatch(/^validation_error .*variants/);
});

requirement('2.9 composition.22', async () => {
  const steps = { n: { type: 'list', values: [7] }, on: { computed: 'n > 3' } };
  const output = { n: '{{n}}', text: 'n={{n}}', list: ['{{on}}', null, 1.5], deep: { on: '{{on}}' } };
  expect(await api.values({ let: steps, output }, { count: 1 })).toEqual([
    { n: 7, text: 'n=7', list: [true, null, 1.5], deep: { on: true } },
  ]);
});
