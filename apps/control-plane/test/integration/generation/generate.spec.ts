import { ENGINE_VERSION } from '@understudy/generator';
import { parse } from 'csv-parse/sync';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const SCHEMA = {
  generators: {
    id: { type: 'svc', algorithm: 'uuid_v4' },
    first: { type: 'model', source: 'en_US/first_names' },
    last: { type: 'model', source: 'en_US/last_names' },
    plan: { type: 'list', values: ['free', 'pro, or "better"'] },
    email: { body: '{{lowercase(first)}}.{{lowercase(last)}}@example.com' },
    tags: { repeat: { count: 2, of: { type: 'svc', algorithm: 'boolean' } } },
    note: { type: 'list', values: ['é €'], nullable: 0.5 },
    big: { type: 'svc', algorithm: 'digits', params: { digits: 18, strict: true } },
  },
  output: ['id', 'first', 'last', 'plan', 'email', 'tags', 'note', 'big'],
};

interface Generated {
  readonly data: {
    readonly records: Record<string, unknown>[];
    readonly count: number;
    readonly seed: number;
  };
  readonly meta: Record<string, unknown>;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  plane.request('/v1/generate', { method: 'POST', body, headers });
const generated = async (body: unknown): Promise<Generated> => {
  const response = await post(body);
  expect(response.text).toContain('"data"');
  expect(response.status).toBe(200);
  return response.body as unknown as Generated;
};

describe('POST /v1/generate', () => {
  it('returns records in the envelope', async () => {
    const response = await post({ schema: SCHEMA, count: 5, seed: 42, now: '2026-01-01' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { data, meta } = response.body as unknown as Generated;
    expect(data).toEqual({ records: expect.any(Array), count: 5, seed: 42 });
    expect(data.records).toHaveLength(5);
    for (const record of data.records) {
      expect(Object.keys(record)).toEqual(SCHEMA.output);
      expect(record['email']).toBe(
        `${String(record['first'])}.${String(record['last'])}@example.com`.toLowerCase(),
      );
    }
    expect(meta).toEqual({
      request_id: response.headers.get('x-request-id'),
      timestamp: expect.stringMatching(/Z$/),
      generation_time_ms: expect.any(Number),
      engine_version: expect.any(String),
      now: '2026-01-01T00:00:00.000Z',
      warnings: [],
    });
    expect(Number.isInteger(meta['generation_time_ms'])).toBe(true);
  });

  it('serves the lists and compositions that ship with the product', async () => {
    const schema = {
      generators: {
        city: { type: 'list', source: { asset: 'de_DE/cities' } },
        texan: { type: 'list', source: 'en_US/cities_by_state', key: 'TX' },
        town: { type: 'model', source: 'ja_JP/cities', constraints: { ends_with: '市' } },
        real: {
          type: 'model',
          source: 'ja_JP/cities',
          generation: { mode: 'real_word', params: { prefix: '横' } },
        },
        name: { use: 'en_US/full_names' },
        same: { type: 'model', source: 'ru_RU/full_names' },
      },
      output: ['city', 'texan', 'town', 'real', 'name', 'same'],
    };
    const { data } = await generated({ schema, count: 50, seed: 7 });
    for (const record of data.records) {
      expect(record['town']).toMatch(/市$/);
      expect(record['real']).toMatch(/^横/);
      expect(record['name']).toMatch(/^\S+ \S/);
      expect(record['same']).toMatch(/^\S+ \S+ \S+$/);
    }
    expect(data.records.map(({ texan }) => texan)).toContain('Houston');
  });

  it.each([
    [{ use: 'en_US/full_name' }, 'use', 'did you mean "en_US/full_names"?'],
    [{ type: 'list', source: 'de_DE/none' }, 'source', 'there is no list asset of this name: de_DE/none'],
    [
      { type: 'model', source: 'ja_JP/cities', constraints: { starts_with: 'Z' } },
      'constraints.starts_with',
      'no value of the list meets this constraint',
    ],
    [
      { type: 'model', source: 'ja_JP/cities', generation: { mode: 'poem' } },
      'generation.mode',
      'serves only the modes word and real_word',
    ],
  ])('refuses %j before any work', async (definition, field, message) => {
    const response = await post({ schema: { generators: { it: definition }, output: ['it'] }, count: 1 });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      error: {
        code: 'validation_error',
        details: [{ field: `schema.generators.it.${field}`, message: expect.stringContaining(message) }],
      },
    });
  });

  it('returns the same records for the same seed, including a seed that it chose itself', async () => {
    const first = await generated({ schema: SCHEMA, count: 20 });
    const again = await generated({
      schema: SCHEMA,
      count: 20,
      seed: first.data.seed,
      now: first.meta['now'],
    });
    expect(again.data).toEqual(first.data);
    const other = await generated({ schema: SCHEMA, count: 20 });
    expect(other.data.seed).not.toBe(first.data.seed);
  });

  it.each([
    ['ndjson', 'application/x-ndjson'],
    ['csv', 'text/csv; charset=utf-8; header=present'],
  ])('[4.2/8] returns %s as a raw body with its metadata in headers', async (format, contentType) => {
    const response = await post({ schema: SCHEMA, count: 3, seed: 7, now: '2026-05-01', format });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(contentType);
    const header = (name: string) => response.headers.get(`x-${name}`);
    expect(header('request-id')).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(header('generation-seed')).toBe('7');
    expect(header('generation-count')).toBe('3');
    expect(header('generation-now')).toBe('2026-05-01T00:00:00.000Z');
    expect(header('generation-engine-version')).toBe(ENGINE_VERSION);
    expect(header('generation-warnings')).toBe('0');
  });

  it('returns different, reproducible records for a negative seed', async () => {
    const recordsOf = async (seed: number) =>
      (await generated({ schema: SCHEMA, count: 20, seed })).data.records;
    for (const seed of [1, Number.MAX_SAFE_INTEGER]) {
      const records = await recordsOf(-seed);
      expect(await recordsOf(-seed)).toEqual(records);
      expect(await recordsOf(seed)).not.toEqual(records);
    }
  });

  it('reports the chosen seed in the header', async () => {
    const body = { schema: SCHEMA, count: 50, format: 'ndjson', now: '2026-05-01' };
    const first = await post(body);
    const again = await post({ ...body, seed: Number(first.headers.get('x-generation-seed')) });
    expect(again.text).toBe(first.text);
  });

  it('writes the same values in the three formats', async () => {
    const body = { schema: SCHEMA, count: 200, seed: 9 };
    const [json, ndjson, csv] = await Promise.all(
      ['json', 'ndjson', 'csv'].map((format) => post({ ...body, format })),
    );
    const lines = (ndjson?.text ?? '').split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(200);
    expect(json?.text).toContain(`{"data":{"records":[${lines.join(',')}],"count":200,"seed":9},"meta":{`);
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(csv?.text.startsWith(`${SCHEMA.output.join(',')}\r\n`)).toBe(true);
    const rows = parse(csv?.text ?? '', { columns: true, record_delimiter: '\r\n' }) as Record<
      string,
      string
    >[];
    expect(rows).toHaveLength(200);
    rows.forEach((row, i) => {
      const { tags, note, big, ...texts } = records[i] as Record<string, unknown>;
      expect(row).toMatchObject({ ...texts, tags: JSON.stringify(tags), note: note ?? '' });
      expect(Number(row['big'])).toBe(big);
      expect(lines[i]).toContain(`"big":${String(row['big'])}`);
      expect(row['big']).toMatch(/^\d{18}$/);
    });
  });

  it.each([
    ['text/csv', 'text/csv; charset=utf-8; header=present'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html, */*;q=0.8', 'application/json; charset=utf-8'],
  ])('chooses the format by Accept: %s', async (accept, contentType) => {
    const response = await post({ schema: SCHEMA, count: 1 }, { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType]);
  });

  it('returns 406 if the Accept header admits none of the formats, unless the body names one', async () => {
    const refused = await post({ schema: SCHEMA, count: 1 }, { accept: 'image/png' });
    expect(refused.status).toBe(406);
    expect(refused.body).toMatchObject({ error: { code: 'not_acceptable' } });
    expect((await post({ schema: SCHEMA, count: 1, format: 'csv' }, { accept: 'image/png' })).status).toBe(
      200,
    );
  });

  it('distinguishes generators named like properties of JavaScript objects', async () => {
    const text =
      '{"schema":{"generators":{"__proto__":{"type":"list","values":["a"]},"constructor":{"type":"list","values":["b"]}},"output":["__proto__","constructor"]},"count":1}';
    const response = await plane.request('/v1/generate', { method: 'POST', body: text });
    expect(response.status).toBe(200);
    expect(response.text).toContain('[{"__proto__":"a","constructor":"b"}]');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no count', { schema: SCHEMA }, 'count'],
    ['count 0', { schema: SCHEMA, count: 0 }, 'count'],
    ['count 100,001', { schema: SCHEMA, count: 100_001 }, 'count'],
    ['a fraction as count', { schema: SCHEMA, count: 1.5 }, 'count'],
    ['a string as count', { schema: SCHEMA, count: '5' }, 'count'],
    ['no schema', { count: 1 }, 'schema'],
    ['another format', { schema: SCHEMA, count: 1, format: 'xml' }, 'format'],
    ['a fraction as seed', { schema: SCHEMA, count: 1, seed: 1.5 }, 'seed'],
    ['a seed below -(2^53 - 1)', { schema: SCHEMA, count: 1, seed: -(2 ** 53) }, 'seed'],
    ['an invalid instant', { schema: SCHEMA, count: 1, now: 'tomorrow' }, 'now'],
    ['an unknown field', { schema: SCHEMA, count: 1, locale: 'en' }, 'locale'],
    ['no generators', { schema: {}, count: 1 }, 'schema'],
    ['an unknown output', { schema: { generators: {}, output: ['x'] }, count: 1 }, 'schema.output'],
    [
      'min > max',
      {
        schema: {
          generators: { a: { type: 'svc', algorithm: 'int_between', params: { min: 2, max: 1 } } },
          output: ['a'],
        },
        count: 1,
      },
      'schema.generators.a',
    ],
    [
      'an unknown model',
      { schema: { generators: { a: { type: 'model', source: 'xx/none' } }, output: ['a'] }, count: 1 },
      'schema.generators.a',
    ],
  ])('refuses %s with 422 and its path', async (_, body, field) => {
    const response = await post(body);
    expect(response.status).toBe(422);
    const { error } = response.body as unknown as { error: { code: string; details: { field: string }[] } };
    expect(error.code).toBe('validation_error');
    expect(error.details[0]?.field).toContain(field);
  });

  it.each(['json', 'csv', 'ndjson'])(
    '[2.9.4/13] warns about constraints that a mode ignores, in %s',
    async (format) => {
      const poem = {
        type: 'model',
        source: 'en_US/words',
        generation: { mode: 'poem' },
        constraints: { max_length: 9, ends_with: 's' },
      };
      const response = await post({
        schema: { generators: { poém: poem }, output: ['poém'] },
        count: 1,
        seed: 1,
        format,
      });
      expect([response.status, response.headers.get('x-generation-warnings')]).toEqual([200, '2']);
      const written = response.headers.get('x-generation-warning-details');
      const warnings =
        format === 'json'
          ? (response.body as unknown as Generated).meta['warnings']
          : JSON.parse(written ?? '');
      expect(warnings).toEqual(
        ['ends_with', 'max_length'].map((name) => ({
          field: `schema.generators.poém.constraints.${name}`,
          message: expect.stringContaining('is not applied in mode poem; it applies in the modes word'),
        })),
      );
      expect(written === null).toBe(format === 'json');
    },
  );

  it('keeps the header of warnings below 4 KiB and reports their total number', async () => {
    const poem = {
      type: 'model',
      source: 'en_US/words',
      generation: { mode: 'poem' },
      constraints: { max_length: 9 },
    };
    const names = Array.from({ length: 60 }, (_, i) => `${'n'.repeat(40)}${i}`);
    const generators = Object.fromEntries(names.map((name) => [name, poem]));
    const response = await post({ schema: { generators, output: names }, count: 1, format: 'csv' });
    expect([response.status, response.headers.get('x-generation-warnings')]).toEqual([200, '60']);
    const written = response.headers.get('x-generation-warning-details') ?? '';
    expect(written.length).toBeLessThanOrEqual(4_096);
    expect((JSON.parse(written) as unknown[]).length).toBeGreaterThan(10);
  });

  it('retries a composition until its value meets the constraints', async () => {
    const generator = (constraints: object) => ({
      schema: {
        generators: { it: { type: 'model', source: 'en_US/full_names', constraints } },
        output: ['it'],
      },
      count: 50,
      seed: 1,
    });
    const { data } = await generated(generator({ starts_with: 'A', max_length: 14 }));
    for (const record of data.records) expect(record['it']).toMatch(/^A.{0,13}$/);
    const refused = await post(generator({ starts_with: '#' }));
    expect(refused.body).toMatchObject({
      error: {
        code: 'generation_failed',
        details: [{ field: 'schema.generators.it.constraints.starts_with' }],
      },
    });
  });

  it.each(['json', 'csv', 'ndjson'])('warns about unique values that may run out, in %s', async (format) => {
    const values = Array.from({ length: 10 }, (_, i) => i);
    const schema = { generators: { a: { type: 'list', values, unique: true } }, output: ['a'] };
    const response = await post({ schema, count: 10, seed: 1, format });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-generation-warnings')).toBe('1');
    if (format === 'json') {
      expect((response.body as unknown as Generated).meta['warnings']).toEqual([
        {
          field: 'schema.generators.a',
          message: expect.stringContaining('unique may run out of values: after about 9'),
        },
      ]);
    }
    const impossible = await post({ schema, count: 11, format });
    expect(impossible.status).toBe(422);
    expect(impossible.body).toMatchObject({
      error: {
        code: 'validation_error',
        details: [
          {
            field: 'schema.generators.a',
            message: expect.stringContaining('unique cannot give 11 different values: there are at most 10'),
          },
        ],
      },
    });
  });

  it.each(['json', 'csv', 'ndjson'])(
    'returns generation_failed in the envelope for an error that depends on a row, for %s too',
    async (format) => {
      const schema = {
        generators: { a: { body: "{{pick('x', 'y')}}", unique: true } },
        output: ['a'],
      };
      const response = await post({ schema, count: 3, seed: 1, format });
      expect(response.status).toBe(422);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.body).toMatchObject({
        error: { code: 'generation_failed', details: [{ field: 'schema.generators.a' }] },
        meta: { request_id: response.headers.get('x-request-id') },
      });
    },
  );

  it.each([
    ['json', '"records":[{"id":1099511627776123456,"deep":{"a":[-9007199254740993]},"c":9007199254740993}]'],
    ['ndjson', '{"id":1099511627776123456,"deep":{"a":[-9007199254740993]},"c":9007199254740993}\n'],
    ['csv', 'id,deep,c\r\n1099511627776123456,"{""a"":[-9007199254740993]}",9007199254740993\r\n'],
  ])('keeps integers beyond 2^53 digit by digit as %s', async (format, expected) => {
    const text =
      '{"generators":{"id":{"type":"list","values":[1099511627776123456]},' +
      '"deep":{"output":{"a":[-9007199254740993]}},"c":{"computed":"9007199254740993"}},' +
      '"output":["id","deep","c"]}';
    const response = await plane.request('/v1/generate', {
      method: 'POST',
      body: `{"count":1,"format":"${format}","schema":${text}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.text).toContain(expected);
  });

  it.each([
    ['{"type":"list","values":[1e1001]}', 'schema.generators.it.values[0]'],
    ['{"type":"svc","algorithm":"float_between","params":{"max":1e400}}', 'schema.generators.it.params.max'],
    [
      '{"type":"svc","algorithm":"float_between","params":{"max":0.12345678901234567890}}',
      'schema.generators.it.params.max',
    ],
    ['{"computed":"0.12345678901234567890 + 1"}', 'schema.generators.it.computed'],
    ['{"body":"x","nullable":0.12345678901234567890}', 'schema.generators.it.nullable'],
    [
      '{"type":"list","values":[{"value":1,"weight":0.12345678901234567890}]}',
      'schema.generators.it.values[0].weight',
    ],
    [
      '{"type":"svc","algorithm":"sequence","params":{"start":9007199254740993}}',
      'schema.generators.it.params.start',
    ],
  ])('refuses a number that would be rounded or computed with, with its path: %s', async (it, field) => {
    const response = await plane.request('/v1/generate', {
      method: 'POST',
      body: `{"count":1,"schema":{"generators":{"it":${it}},"output":["it"]}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ error: { code: 'validation_error', details: [{ field }] } });
  });
});
