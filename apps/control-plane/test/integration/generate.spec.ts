import { startControlPlane, type ControlPlane } from './start-control-plane.js';

const SCHEMA = {
  generators: {
    id: { type: 'svc', algorithm: 'uuid_v4' },
    first: { type: 'model', source: 'en_US/first_names' },
    last: { type: 'model', source: 'en_US/last_names' },
    plan: { type: 'list', values: ['free', 'pro'] },
    email: { body: '{{lowercase(first)}}.{{lowercase(last)}}@example.com' },
  },
  output: ['id', 'first', 'last', 'plan', 'email'],
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

const post = (body: unknown) => plane.request('/v1/generate', { method: 'POST', body });
const generated = async (body: unknown): Promise<Generated> => {
  const answer = await post(body);
  expect(answer.text).toContain('"data"');
  expect(answer.status).toBe(200);
  return answer.body as unknown as Generated;
};

describe('POST /v1/generate', () => {
  it('answers records in the envelope', async () => {
    const { data, meta } = await generated({ schema: SCHEMA, count: 5, seed: 42, now: '2026-01-01' });
    expect(data).toEqual({ records: expect.any(Array), count: 5, seed: 42 });
    expect(data.records).toHaveLength(5);
    for (const record of data.records) {
      expect(Object.keys(record)).toEqual(SCHEMA.output);
      expect(record['email']).toBe(
        `${String(record['first'])}.${String(record['last'])}@example.com`.toLowerCase(),
      );
    }
    expect(meta).toEqual({
      request_id: expect.stringMatching(/^req_/),
      timestamp: expect.any(String),
      generation_time_ms: expect.any(Number),
      engine_version: expect.any(String),
      now: '2026-01-01T00:00:00.000Z',
    });
  });

  it('answers the same for the same seed, also for the one it drew itself', async () => {
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

  it('makes 100,000 records and goes on answering others meanwhile', async () => {
    const schema = { generators: { n: { type: 'svc', algorithm: 'sequence' } }, output: ['n'] };
    const large = generated({ schema, count: 100_000, format: 'json' });
    expect((await plane.request('/healthz', { token: null })).status).toBe(200);
    expect((await large).data.records.at(-1)).toEqual({ n: 100_000 });
  });

  it('keeps generators named like words of JavaScript apart', async () => {
    const text =
      '{"schema":{"generators":{"__proto__":{"type":"list","values":["a"]},"constructor":{"type":"list","values":["b"]}},"output":["__proto__","constructor"]},"count":1}';
    const answer = await plane.request('/v1/generate', { method: 'POST', body: text });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('[{"__proto__":"a","constructor":"b"}]');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no count', { schema: SCHEMA }, 'count'],
    ['count 0', { schema: SCHEMA, count: 0 }, 'count'],
    ['count 100,001', { schema: SCHEMA, count: 100_001 }, 'count'],
    ['count as text', { schema: SCHEMA, count: '5' }, 'count'],
    ['no schema', { count: 1 }, 'schema'],
    ['csv', { schema: SCHEMA, count: 1, format: 'csv' }, 'format'],
    ['another format', { schema: SCHEMA, count: 1, format: 'xml' }, 'format'],
    ['a fraction as seed', { schema: SCHEMA, count: 1, seed: 1.5 }, 'seed'],
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
    const answer = await post(body);
    expect(answer.status).toBe(422);
    const { error } = answer.body as unknown as { error: { code: string; details: { field: string }[] } };
    expect(error.code).toBe('validation_error');
    expect(error.details[0]?.field).toContain(field);
  });

  it('says that csv is to come', async () => {
    expect((await post({ schema: SCHEMA, count: 1, format: 'csv' })).text).toContain('not supported yet');
  });

  it('answers generation_failed for what only a row can show', async () => {
    const schema = {
      generators: { a: { type: 'list', values: ['x', 'y'], unique: true } },
      output: ['a'],
    };
    const answer = await post({ schema, count: 3, seed: 1 });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      error: { code: 'generation_failed', details: [{ field: 'schema.generators.a' }] },
    });
  });
});
