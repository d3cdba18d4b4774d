import { startGeneration, svc, type GenerationHarness, type Json } from './generation-harness.js';

const SCHEMA = {
  generators: {
    last: { type: 'model', source: 'en_US/last_names' },
    first: { type: 'model', source: 'en_US/first_names' },
    email: { body: '{{lowercase(first)}}.{{lowercase(last)}}@example.com' },
    age: svc('int_between', { min: 18, max: 90 }),
  },
  output: ['first', 'email', 'age'],
};

interface Result {
  readonly data: {
    readonly records: Record<string, unknown>[];
    readonly count: number;
    readonly seed: number;
  };
  readonly meta: Record<string, unknown>;
}

let api: GenerationHarness;
beforeAll(async () => {
  api = await startGeneration();
});
afterAll(() => api?.plane.stop());

const generate = async (members: Json = {}): Promise<Result> => {
  const response = await api.post({ schema: SCHEMA, count: 10, ...members });
  expect([response.status, response.text]).toEqual([200, expect.stringContaining('"data"')]);
  return response.body as unknown as Result;
};
const refused = async (body: Json): Promise<{ status: number; code: string; field: string | undefined }> => {
  const response = await api.post(body);
  const { error } = response.body as unknown as { error: { code: string; details?: { field: string }[] } };
  return { status: response.status, code: error.code, field: error.details?.[0]?.field };
};
const invalid = (field: string) => ({ status: 422, code: 'validation_error', field });

it('[1/2, 4.2/4] Output is deterministic when a seed is given', async () => {
  const now = '2026-01-01T00:00:00Z';
  const first = await generate({ seed: 42, now });
  expect(first.data.seed).toBe(42);
  for (let again = 0; again < 5; again += 1)
    expect((await generate({ seed: 42, now })).data).toEqual(first.data);
  expect((await generate({ seed: 43, now })).data.records).not.toEqual(first.data.records);
});

it('[2.6/1] A result is { records: array, count: integer, seed: integer }', async () => {
  const { data } = await generate({ seed: 42 });
  expect(data).toEqual({ records: expect.any(Array), count: 10, seed: 42 });
  expect(data.records).toHaveLength(10);
  expect(Number.isSafeInteger((await generate()).data.seed)).toBe(true);
});

it("[2.6/2] Each record is an object keyed by the names in the schema's output", async () => {
  const { data } = await generate();
  for (const record of data.records) expect(Object.keys(record)).toEqual(SCHEMA.output);
});

it('[2.8/1] `generators` is an object from names to definitions', async () => {
  expect(await refused({ schema: { generators: ['a'], output: ['a'] }, count: 1 })).toEqual(
    invalid('schema.generators'),
  );
  expect(await refused({ schema: { output: [] }, count: 1 })).toEqual(invalid('schema.generators'));
});

it('[2.8/2] `output` lists the names to emit, in order; they become the keys of each record', async () => {
  // The order differs from the alphabetical order and from the order of the generators.
  for (const output of [
    ['first', 'age', 'email'],
    ['email', 'first'],
    ['age', 'last', 'first'],
  ]) {
    const { data } = await generate({ schema: { ...SCHEMA, output } });
    for (const record of data.records) expect(Object.keys(record)).toEqual(output);
  }
  expect(await refused({ schema: { ...SCHEMA, output: ['none'] }, count: 1 })).toEqual(
    invalid('schema.output[0]'),
  );
});

it('[2.8/3] String parameters may be templates whose {{ }} expressions refer to other generators by name', async () => {
  const { data } = await generate({ schema: { ...SCHEMA, output: ['first', 'last', 'email'] } });
  for (const { first, last, email } of data.records)
    expect(email).toBe(`${String(first).toLowerCase()}.${String(last).toLowerCase()}@example.com`);
});

it("[2.8/4] The expression language has lowercase, uuid, format(value, 'number') and round(x, digits)", async () => {
  const render = async (body: string) => (await api.values({ body }, { count: 1 }))[0];
  expect(await render("{{lowercase('ÄB')}}")).toBe('äb');
  expect(await render('{{uuid}}')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await render("{{format(1234567.5, 'number')}}")).toBe('1,234,567.5');
  expect(await render('{{round(2.345, 2)}}')).toBe('2.35');
});

it('[4.1/2] meta of /generate has generation_time_ms, an integer', async () => {
  expect(Number.isInteger((await generate()).meta['generation_time_ms'])).toBe(true);
});

it('[1/1, 4.2/1] POST /generate generates records from a schema', async () => {
  expect((await generate({ count: 3 })).data.records).toHaveLength(3);
});

it('[4.2/2] schema is required', async () => {
  expect(await refused({ count: 1 })).toEqual(invalid('schema'));
  expect(await refused({ schema: 'text', count: 1 })).toEqual(invalid('schema'));
});

it('[4.2/3, 8/9] count is required, an integer from 1 to 100,000', async () => {
  const schema = { generators: { n: svc('sequence') }, output: ['n'] };
  expect((await generate({ schema, count: 1 })).data.records).toEqual([{ n: 1 }]);
  expect((await generate({ schema, count: 100_000 })).data.records).toHaveLength(100_000);
  for (const count of [undefined, 0, -1, 1.5, '1', 100_001, null])
    expect([count, await refused({ schema, count })]).toEqual([count, invalid('count')]);
});

it('[4.2/4] seed is an optional integer', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const now = '2026-01-01T00:00:00Z';
  const records = new Map<number, unknown>();
  for (const seed of [0, 42, -42, most, -most]) {
    const { data } = await generate({ count: 5, seed, now });
    expect(data.seed).toBe(seed);
    expect((await generate({ count: 5, seed, now })).data.records).toEqual(data.records);
    records.set(seed, data.records);
  }
  expect(records.get(42)).not.toEqual(records.get(-42));
  for (const seed of [1.5, '42', most + 1, -most - 1])
    expect(await refused({ schema: SCHEMA, count: 1, seed })).toEqual(invalid('seed'));
});

it('[4.2/5] format is json, csv or ndjson', async () => {
  const type = async (format?: string) => {
    const response = await api.post({ schema: SCHEMA, count: 2, ...(format && { format }) });
    return [response.status, response.headers.get('content-type')?.split(';')[0]];
  };
  expect([await type(), await type('json'), await type('csv'), await type('ndjson')]).toEqual([
    [200, 'application/json'],
    [200, 'application/json'],
    [200, 'text/csv'],
    [200, 'application/x-ndjson'],
  ]);
  expect(await refused({ schema: SCHEMA, count: 1, format: 'xml' })).toEqual(invalid('format'));
});

it('[4.2/6, 4.2/7] data is { records, count, seed }; meta includes request_id and generation_time_ms', async () => {
  const { data, meta } = await generate({ count: 1, seed: 1 });
  expect(data).toEqual({ records: [expect.any(Object)], count: 1, seed: 1 });
  expect(meta).toMatchObject({
    request_id: expect.any(String),
    timestamp: expect.any(String),
    generation_time_ms: expect.any(Number),
  });
});

it('[7/9] An acrostic with an unsatisfiable initial is an error of its generator', async () => {
  const generation = { mode: 'acrostic', params: { initials: 'я' } };
  expect(await api.refusal({ type: 'model', source: 'en_US/words', generation })).toContain(
    'schema.generators.it',
  );
});

it('count of POST /generate is 1 to 100,000', async () => {
  const schema = { generators: { n: svc('sequence') }, output: ['n'] };
  expect((await generate({ schema, count: 100_000 })).data.count).toBe(100_000);
  expect(await refused({ schema, count: 100_001 })).toEqual(invalid('count'));
});

it('[8/11] unique makes 200 attempts', async () => {
  // The second value is so rare that 200 attempts do not find it.
  const values = [
    { value: 'often', weight: 1 },
    { value: 'seldom', weight: 1e-9 },
  ];
  expect(await api.refusal({ type: 'list', values, unique: true }, { count: 2 })).toContain('200 attempts');
  const items = { repeat: { count: 2, of: { type: 'list', values }, unique: true } };
  expect(await api.refusal(items)).toContain('200 attempts');
});

it('[8/14] digits is clamped to 1-18', async () => {
  const strict = (digits: number) => svc('digits', { digits, strict: true, leading_zero: true });
  expect((await api.values(strict(99), { count: 1 }))[0]).toMatch(/^\d{18}$/);
  expect((await api.values(strict(-1), { count: 1 }))[0]).toMatch(/^\d$/);
});

it('length of nanoid is 21 by default', async () => {
  expect((await api.values(svc('nanoid'), { count: 1 }))[0]).toHaveLength(21);
});

it('[8/16] max_chars of mode text is 200 by default', async () => {
  const text = (params: Json) => ({
    type: 'model',
    source: 'en_US/words',
    generation: { mode: 'text', params },
  });
  expect(await api.values(text({}))).toEqual(await api.values(text({ max_chars: 200 })));
});
