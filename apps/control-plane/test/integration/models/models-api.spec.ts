import { request as httpRequest } from 'node:http';

import { builtinModels } from '@understudy/builtin-models/node';
import { stripOriginals } from '@understudy/ngram';
import { ulid } from 'ulid';

import { MAX_FILE_BYTES } from '../../../src/platform/http/uploads/multipart-form.js';
import { modelFile, modelForm } from '../harness/model-files.js';
import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

const MAX_MODELS = 60;
const BUILTIN = builtinModels.all().map(({ id }) => id);

interface ListedModel {
  readonly id: string;
  readonly locale: string;
  readonly type: string;
}
interface Page {
  readonly models: readonly ListedModel[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({
    models: { maxPerOrganization: MAX_MODELS },
    planLimits: { starter: { model_bytes: 3 * modelFile().length - 1 } },
  });
});
afterAll(() => plane?.stop());

/** Creates an organisation without models. */
async function newcomer(): Promise<{ orgId: string; token: string }> {
  const orgId = await plane.addOrganization();
  return { orgId, token: (await plane.addToken({ orgId })).token };
}

const upload = (token: string, fields: Parameters<typeof modelForm>[0] = {}) =>
  plane.request('/v1/models', { method: 'POST', token, body: modelForm(fields) });
const get = (path: string, token?: string) => plane.request(path, token ? { token } : {});
const page = async (query: string, token?: string): Promise<Page> => {
  const answer = await get(`/v1/models${query}`, token);
  expect(answer.status).toBe(200);
  return (answer.body as unknown as { data: Page }).data;
};
const dataOf = (answer: ApiResponse) => (answer.body as unknown as { data: Record<string, unknown> }).data;
const generate = (token: string, source: string, count = 5) =>
  plane.request('/v1/generate', {
    method: 'POST',
    token,
    body: { schema: { generators: { it: { type: 'model', source } }, output: ['it'] }, count, seed: 1 },
  });

function expectError(answer: ApiResponse, status: number, code: string, message?: string | RegExp): void {
  expect([answer.status, answer.body]).toEqual([
    status,
    { error: expect.objectContaining({ code }), meta: expect.any(Object) },
  ]);
  if (message !== undefined) expect(answer.text).toMatch(message);
}

describe('uploading a model', () => {
  it('returns 201 with exactly the six fields of the upload view, and Location', async () => {
    const { token } = await newcomer();
    const answer = await upload(token, { name: 'Names.de-1', description: 'ten names' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/models/custom/Names.de-1');
    expect(dataOf(answer)).toEqual({
      id: 'custom/Names.de-1',
      name: 'Names.de-1',
      locale: 'de_DE',
      type: 'custom',
      ngram_order: 3,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it.each([
    [{ name: 'Straßen & Plätze' }, 'custom/strassen-platze'],
    [{ name: '通り', id: 'custom/streets' }, 'custom/streets'],
    [{ name: 'n'.repeat(200), id: 'Long.1' }, 'custom/Long.1'],
  ])('accepts any text as the name: %j becomes %s', async (fields, id) => {
    const { token } = await newcomer();
    const answer = await upload(token, fields);
    expect([answer.status, dataOf(answer)]).toMatchObject([201, { id, name: fields.name }]);
    expect(dataOf(await get(`/v1/models/${id}`, token))).toMatchObject({ id, name: fields.name });
    expect((await page('?type=custom', token)).models).toMatchObject([{ id, name: fields.name }]);
    expect((await generate(token, id)).status).toBe(200);
  });

  it('refuses a second model with the same id, even under another name', async () => {
    const { token } = await newcomer();
    expect((await upload(token, { name: 'Street names' })).status).toBe(201);
    expectError(await upload(token, { name: 'STREET  names!' }), 409, 'conflict');
    expectError(await upload(token, { name: 'Other', id: 'street-names' }), 409, 'conflict');
    expect((await upload(token, { name: 'Street names', id: 'custom/street-names-2' })).status).toBe(201);
    await plane.request('/v1/models/custom/street-names', { method: 'DELETE', token });
    expect((await upload(token, { name: 'Street names' })).status).toBe(201);
  });

  it('shows the id as the name of a model that was uploaded by an early version', async () => {
    const { orgId, token } = await newcomer();
    await upload(token, { name: 'early' });
    await plane.query('UPDATE custom_models SET display_name = NULL WHERE organization_id = $1', [orgId]);
    expect(dataOf(await get('/v1/models/custom/early', token))).toMatchObject({ name: 'early' });
  });

  it('[2.9.4/11, 2.9.4/19] supports neither real_word nor exclude_originals, as the detail view reports', async () => {
    const { token } = await newcomer();
    await upload(token, { name: 'mine' });
    const drawn = (more: object) =>
      plane.request('/v1/generate', {
        method: 'POST',
        token,
        body: {
          schema: { generators: { it: { type: 'model', source: 'custom/mine', ...more } }, output: ['it'] },
          count: 1,
        },
      });
    const { modes } = dataOf(await get('/v1/models/custom/mine', token)) as { modes: string[] };
    for (const mode of modes) {
      const params = mode === 'acrostic' ? { initials: 'A' } : {};
      expect([mode, (await drawn({ generation: { mode, params } })).status]).toEqual([mode, 200]);
    }
    expectError(await drawn({ generation: { mode: 'real_word' } }), 422, 'validation_error');
    expectError(await drawn({ constraints: { exclude_originals: true } }), 422, 'validation_error');
    const builtin = dataOf(await get('/v1/models/en_US/first_names', token));
    expect(builtin['constraints']).toContain('exclude_originals');
  });

  it('[1/4, 2.9.4/1] makes the model visible immediately and generates the same values for the same seed', async () => {
    const { token } = await newcomer();
    await upload(token, { name: 'mine', description: 'ten names' });
    const listed = {
      id: 'custom/mine',
      name: 'mine',
      locale: 'de_DE',
      type: 'custom',
      kind: 'ngram',
      ngram_order: 3,
      token_type: 'char',
      created_at: expect.any(String),
    };
    expect((await page('?type=custom', token)).models).toEqual([listed]);
    expect(dataOf(await get('/v1/models/custom/mine', token))).toEqual({
      ...listed,
      description: 'ten names',
      licence: '',
      source: '',
      modes: ['word', 'sentence', 'text', 'paragraph', 'poem', 'acrostic'],
      constraints: ['starts_with', 'ends_with', 'contains', 'min_length', 'max_length'],
      keys: null,
      distinct_values: 10,
      total_weight: 10,
      min_values: 1,
      novel_mass: null, // unknown, because the model has no originals
      effective_values: expect.any(Number),
      distinct_capacity: expect.any(Number),
      token_count: 16,
      ngram_count: expect.any(Number),
      updated_at: expect.any(String),
    });
    const first = await generate(token, 'custom/mine');
    expect(first.status).toBe(200);
    const { records } = dataOf(first) as unknown as { records: { it: string }[] };
    expect(records).toHaveLength(5);
    expect(records.every(({ it }) => /^[A-E][a-z]+$/.test(it))).toBe(true);
    expect(dataOf(await generate(token, 'custom/mine'))).toEqual(dataOf(first));
  });

  it('keeps every byte of a file with many parts', async () => {
    const { orgId, token } = await newcomer();
    const values = Array.from({ length: 60_000 }, (_, i) => (i * 2_654_435_761).toString(36));
    const file = modelFile({ order: 8 }, values);
    expect(file.length).toBeGreaterThan(1024 * 1024);
    expect((await upload(token, { file })).status).toBe(201);
    const rows = await plane.query(
      `SELECT bytes FROM custom_model_parts JOIN custom_models ON id = model_id
       WHERE organization_id = $1 ORDER BY position`,
      [orgId],
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(Buffer.concat(rows.map(({ bytes }) => bytes as Buffer)).equals(file)).toBe(true);
    expect((await generate(token, 'custom/names', 100)).status).toBe(200);
  });

  it('[7/12] refuses a name that is taken, and accepts it again after the model is deleted', async () => {
    const { token } = await newcomer();
    expect((await upload(token)).status).toBe(201);
    expectError(await upload(token), 409, 'conflict');
    const deleted = await plane.request('/v1/models/custom/names', { method: 'DELETE', token });
    expect([deleted.status, dataOf(deleted)]).toEqual([200, { deleted: true, id: 'custom/names' }]);
    expectError(await get('/v1/models/custom/names', token), 404, 'not_found');
    expectError(await generate(token, 'custom/names'), 422, 'validation_error', 'no model of this name');
    const other = ['Xaver', 'Xenia', 'Xanthippe', 'Xander'];
    expect((await upload(token, { file: modelFile({}, other) })).status).toBe(201);
    expect((await generate(token, 'custom/names')).text).toContain('"it":"X');
  });

  it('accepts only one of many parallel uploads with the same name', async () => {
    const { token } = await newcomer();
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(token)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });

  it('accepts the maximum number of models per organisation and not one more', async () => {
    const { orgId, token } = await newcomer();
    const file = modelFile();
    for (let i = 0; i < MAX_MODELS - 1; i += 1) {
      await plane.query(
        `INSERT INTO custom_models (id, organization_id, name, locale, ngram_order, token_type, token_count, ngram_count,
           facts, hash, byte_length, created_at, updated_at)
         VALUES ($1, $2, $3, 'de_DE', 3, 'char', 1, 1, '{}', $4, 1, now(), now())`,
        [`mdl_${ulid()}`, orgId, `m${i}`, 'a'.repeat(64)],
      );
    }
    const answers = await Promise.all(['x', 'y', 'z'].map((name) => upload(token, { name, file })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expectError(answers.find(({ status }) => status === 422) as ApiResponse, 422, 'limit_exceeded');
  });
});

describe('the total size of an organisation’s models', () => {
  it('is limited by the plan and decreases when a model is deleted', async () => {
    const orgId = await plane.addOrganization('starter');
    const { token } = await plane.addToken({ orgId });
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => upload(token, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 402]);
    const refused = answers.find(({ status }) => status === 402) as ApiResponse;
    expectError(refused, 402, 'quota_exceeded', /includes \d+ bytes of custom models/);
    const [first] = (await page('?type=custom', token)).models;
    const deleted = await plane.request(`/v1/models/${first?.id}`, { method: 'DELETE', token });
    expect([deleted.status, (await upload(token, { name: 'd' })).status]).toEqual([200, 201]);
  });
});

describe('an invalid upload', () => {
  const valid = modelFile();
  const changed = (at: number, byte: number) => valid.map((old, i) => (i === at ? byte : old));
  const key = new Uint8Array(16).fill(7);

  it.each<[string, Uint8Array<ArrayBuffer>, RegExp]>([
    ['text', new TextEncoder().encode('not a model at all'), /not a usable .ngram file/],
    ['a truncated file', valid.slice(0, valid.length - 8), /not a usable .ngram file/],
    ['a wrong checksum', changed(valid.length - 1, (valid.at(-1) ?? 0) ^ 1), /checksum/],
    ['a newer version', changed(8, 99), /version/],
    ['originals', modelFile({ originals: 'fingerprints' }), /training values/],
    ['keyed originals', modelFile({ originals: 'fingerprints', fingerprintKey: key }), /an agent/],
    ['a model that an agent trained', modelFile({ locale: 'private' }), /an agent/],
    ['an invalid locale', modelFile({ locale: 'German' }), /locale/],
  ])('[4.3/12] causes 422 with the reason at the field file: %s', async (_, file, reason) => {
    const answer = await upload(plane.token, { file });
    expectError(answer, 422, 'validation_error', reason);
    expect(answer.body).toMatchObject({ error: { details: [{ field: 'file' }] } });
  });

  it.each<[string, Parameters<typeof modelForm>[0], string]>([
    ['no file', { file: null }, 'file'],
    ['an empty file', { file: new Uint8Array() }, 'file'],
    ['text as file', { file: 'text' }, 'file'],
    ['no name', { name: null }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, 'name'],
    ['a name that cannot be stored', { name: 'a\0b' }, 'name'],
    ['an id with a slash', { id: 'a/b' }, 'id'],
    ['an id of another kind', { id: 'private/b' }, 'id'],
    ['an id that begins with a dot', { id: 'custom/..' }, 'id'],
    ['an empty id', { id: '' }, 'id'],
    ['an id of 129 characters', { id: 'n'.repeat(129) }, 'id'],
    ['a name without a letter or digit, and no id', { name: '🙂' }, 'id'],
    ['a long description', { description: 'd'.repeat(2_001) }, 'description'],
    ['a description that cannot be stored', { description: 'a\0b' }, 'description'],
  ])('causes 422 at its field: %s', async (_, fields, field) => {
    const answer = await upload(plane.token, fields);
    expectError(answer, 422, 'validation_error');
    expect(answer.body).toMatchObject({ error: { details: [{ field }] } });
  });

  it('is refused with all problems of the form, including unknown fields by name', async () => {
    const form = modelForm({ file: null, name: '' });
    form.set('surprise', '1');
    const { body } = await plane.request('/v1/models', { method: 'POST', body: form });
    const { error } = body as unknown as { error: { details: { field: string }[] } };
    expect(error.details.map(({ field }) => field).sort()).toEqual(['file', 'name', 'surprise']);
  });

  it('is refused if it has a duplicate field, a second file or too many fields', async () => {
    const twice = modelForm();
    twice.append('name', 'again');
    expectError(await plane.request('/v1/models', { method: 'POST', body: twice }), 422, 'validation_error');
    const files = modelForm();
    files.append('file', new Blob(['x']), 'x');
    expectError(await plane.request('/v1/models', { method: 'POST', body: files }), 413, 'payload_too_large');
    const many = modelForm();
    for (let i = 0; i < 40; i += 1) many.set(`f${i}`, 'x');
    expectError(await plane.request('/v1/models', { method: 'POST', body: many }), 413, 'payload_too_large');
  });

  it.each([
    ['application/json', '{"name":"x"}', 415],
    ['text/plain', 'x', 415],
    ['multipart/form-data', 'x', 400],
    ['multipart/form-data; boundary=b', 'no form', 400],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nabc', 400],
    ['multipart/form-data; boundary=b', form('__proto__'), 400],
  ])('with a body of type %s: %j causes %i', async (type, body, status) => {
    const answer = await plane.request('/v1/models', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    expectError(answer, status, status === 415 ? 'unsupported_media_type' : 'bad_request');
  });

  it('[8/20] is refused if the file is one byte larger than 32 MiB', async () => {
    const zeros = new Uint8Array(MAX_FILE_BYTES);
    expectError(await upload(plane.token, { file: zeros }), 422, 'validation_error', 'not a usable');
    const longer = new Uint8Array(MAX_FILE_BYTES + 1);
    expectError(await upload(plane.token, { file: longer }), 413, 'payload_too_large', '32 MiB');
    const far = new Uint8Array(MAX_FILE_BYTES * 2);
    expectError(await upload(plane.token, { file: far }), 413, 'payload_too_large', '32 MiB');
  });
});

function form(field: string): string {
  return `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\nabc\r\n--b--\r\n`;
}

describe('listing models', () => {
  it('returns every built-in model with the fields of the list view', async () => {
    const { token } = await newcomer();
    const pages = [await page('?per_page=100', token), await page('?per_page=100&page=2', token)];
    expect(pages).toMatchObject([1, 2].map((page) => ({ page, per_page: 100, total: BUILTIN.length })));
    const models = pages.flatMap((page) => page.models);
    expect(models.map(({ id }) => id)).toEqual(BUILTIN);
    const kindOf = new Map(builtinModels.all().map(({ id, kind }) => [id, kind]));
    for (const model of models) {
      const kind = kindOf.get(model.id);
      expect(model).toEqual({
        id: expect.stringMatching(/^[a-z]{2}_[A-Z]{2}\/\w+$/),
        name: expect.any(String),
        locale: model.id.slice(0, 5),
        type: 'builtin',
        kind,
        ngram_order: kind === 'ngram' ? expect.any(Number) : null,
        token_type: kind === 'ngram' ? expect.stringMatching(/^(char|word)$/) : null,
        created_at: expect.stringMatching(/Z$/),
      });
    }
  });

  it('pages through custom and built-in models without a gap, with 20 per page by default', async () => {
    const { token } = await newcomer();
    const file = modelFile();
    for (const name of ['a', 'b', 'c']) await upload(token, { name, file });
    const everything = ['custom/c', 'custom/b', 'custom/a', ...BUILTIN];
    for (const perPage of [2, 3, 20, 100]) {
      const ids: string[] = [];
      for (let number = 1; ids.length < everything.length; number += 1) {
        const { models, total } = await page(`?page=${number}&per_page=${perPage}`, token);
        expect([models.length > 0, total]).toEqual([true, 3 + BUILTIN.length]);
        ids.push(...models.map(({ id }) => id));
      }
      expect(ids).toEqual(everything);
    }
    expect(await page('?page=999', token)).toMatchObject({ models: [], page: 999, per_page: 20 });
  });

  it('filters by type and locale', async () => {
    const { token } = await newcomer();
    await upload(token);
    const ids = async (query: string) => (await page(query, token)).models.map(({ id }) => id);
    expect(await ids('?type=custom')).toEqual(['custom/names']);
    expect(await ids('?type=builtin')).not.toContain('custom/names');
    expect((await ids('?locale=de_DE'))[0]).toBe('custom/names');
    expect(await ids('?locale=en_US&type=custom')).toEqual([]);
    const english = BUILTIN.filter((id) => id.startsWith('en_US/'));
    expect(await ids('?locale=en_US&per_page=100')).toEqual(english);
    expect(await ids('?locale=xx_XX')).toEqual([]);
    expect(await ids('?type=all')).toEqual(await ids(''));
    for (const kind of ['ngram', 'list', 'composition'] as const) {
      const wanted = builtinModels.all().filter((model) => model.kind === kind && model.locale === 'en_US');
      const found = await page(`?locale=en_US&per_page=100&kind=${kind}`, token);
      expect([found.total, found.models.map(({ id }) => id)]).toEqual([
        wanted.length,
        wanted.map(({ id }) => id),
      ]);
    }
    expect(await ids('?type=custom&kind=ngram')).toEqual(['custom/names']);
    expect(await page('?type=custom&kind=list', token)).toMatchObject({ models: [], total: 0 });
    expect(await page('?type=private&kind=composition', token)).toMatchObject({ models: [], total: 0 });
  });

  it.each([
    ['?per_page=101', 'per_page'],
    ['?per_page=0', 'per_page'],
    ['?page=0', 'page'],
    ['?type=mine', 'type'],
    ['?kind=words', 'kind'],
    ['?locale=german', 'locale'],
    ['?type=private&locale=de_DE', 'locale'],
    ['?surprise=1', 'surprise'],
  ])('refuses %s', async (query, field) => {
    const answer = await get(`/v1/models${query}`);
    expectError(answer, 422, 'validation_error');
    expect(answer.body).toMatchObject({ error: { details: [{ field }] } });
  });
});

describe('built-in models that are not n-gram models', () => {
  it.each(
    builtinModels.all().filter(({ kind }, i, all) => all.findIndex((model) => model.kind === kind) === i),
  )('report their kind in the detail view: $kind', async ({ id, kind, items, licence }) => {
    const detail = dataOf(await get(`/v1/models/${id}`));
    expect(detail).toMatchObject({ id, kind, licence });
    const nothing = { ngram_order: null, token_type: null, token_count: null, ngram_count: null };
    if (kind !== 'ngram') expect(detail).toMatchObject(nothing);
    if (kind === 'list') expect(detail).toMatchObject({ distinct_values: items });
  });
});

describe('the details of a model', () => {
  const detail = async (token: string, id: string) => dataOf(await get(`/v1/models/${id}`, token));

  it('report the share of new values and the number of values', async () => {
    const { token } = await newcomer();
    const { novel_mass, effective_values, distinct_capacity } = await detail(token, 'en_US/first_names');
    expect(novel_mass).toBeGreaterThan(0);
    expect(novel_mass).toBeLessThan(1);
    expect(effective_values).toBeGreaterThan(100);
    expect(distinct_capacity).toBeGreaterThan(Number(effective_values));
    const stripped = stripOriginals(modelFile({ originals: 'values' }, ['Heads', 'Tails']));
    await upload(token, { name: 'coin', file: new Uint8Array(stripped) });
    expect(await detail(token, 'custom/coin')).toMatchObject({
      distinct_values: 2,
      novel_mass: 0,
      effective_values: 2,
    });
  });

  it('contain the keys of a map of lists, each of which selects a list', async () => {
    const { token } = await newcomer();
    const { keys } = await detail(token, 'en_US/cities_by_state');
    expect(keys).toEqual(expect.arrayContaining(['CA', 'TX']));
    const generators = Object.fromEntries(
      (keys as string[]).map((key) => [key, { type: 'list', source: 'en_US/cities_by_state', key }]),
    );
    const body = { schema: { generators, output: keys }, count: 1 };
    expect((await plane.request('/v1/generate', { method: 'POST', token, body })).status).toBe(200);
  });

  it('contain null for values that are unknown, for compositions and for uploads of earlier versions', async () => {
    const { orgId, token } = await newcomer();
    const nothing = { novel_mass: null, effective_values: null, distinct_capacity: null, min_values: null };
    expect(await detail(token, 'en_US/full_names')).toMatchObject(nothing);
    await upload(token, { name: 'early' });
    const facts = { licence: '', source: '', modes: ['word'] };
    await plane.query('UPDATE custom_models SET facts = $2 WHERE organization_id = $1', [orgId, facts]);
    expect(await detail(token, 'custom/early')).toMatchObject({ ...nothing, distinct_values: null });
  });
});

it('records uploads and deletions in the audit log', async () => {
  const { token } = await newcomer();
  await upload(token, { name: 'logged' });
  await plane.request('/v1/models/custom/logged', { method: 'DELETE', token });
  const { entries } = dataOf(await get('/v1/audit-log', token)) as unknown as { entries: object[] };
  const target = { type: 'model', id: 'custom/logged' };
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'model.deleted', target },
    { action: 'model.uploaded', target, details: { locale: 'de_DE', hash: expect.any(String) } },
  ]);
});

describe('the id of a model', () => {
  const DETAIL = {
    id: 'en_US/first_names',
    name: 'first_names',
    locale: 'en_US',
    type: 'builtin',
    ngram_order: expect.any(Number),
    token_type: 'char',
    created_at: expect.any(String),
    kind: 'ngram',
    description: null,
    licence: expect.stringMatching(/./),
    source: expect.stringMatching(/./),
    modes: expect.arrayContaining(['word']),
    constraints: expect.arrayContaining(['starts_with']),
    keys: null,
    distinct_values: expect.any(Number),
    total_weight: expect.any(Number),
    min_values: expect.any(Number),
    novel_mass: expect.any(Number),
    effective_values: expect.any(Number),
    distinct_capacity: expect.any(Number),
    token_count: expect.any(Number),
    ngram_count: expect.any(Number),
    updated_at: expect.any(String),
  };

  it.each([
    '/v1/models/en_US/first_names',
    '/v1/models/en_US%2Ffirst_names',
    '/v1/models/en_US%2ffirst_names',
  ])('may be written as in %s', async (path) => {
    expect(dataOf(await get(path))).toEqual(DETAIL);
  });

  it.each([
    '/v1/models/en_US/none',
    '/v1/models/en_US',
    '/v1/models/en_US/',
    '/v1/models/en_US%252Ffirst_names',
    '/v1/models/en_US%2F..%2Fen_US%2Ffirst_names',
    '/v1/models/..%2Fmodels',
    '/v1/models/..%2F..%2Fpackage',
    '/v1/models/%2e%2e%2fen_US%2ffirst_names',
    '/v1/models/en_US/first_names/',
    '/v1/models/en_US/first_names.ngram',
    '/v1/models/en_US/constructor',
    '/v1/models/custom/%00',
    '/v1/models/private/none',
    `/v1/models/custom/${'x'.repeat(400)}`,
  ])('returns 404 if it is unknown or invalid: %s', async (path) => {
    expectError(await rawGet(path), 404, 'not_found');
  });

  it('returns 404 if it contains parent folders', async () => {
    for (const path of [
      '/v1/models/../models',
      '/v1/models/en_US/../en_US/first_names',
      '/v1/models/./en_US',
    ])
      expectError(await rawGet(path), 404, 'not_found');
  });
});

describe('deleting a model', () => {
  it('refuses built-in models and unknown models', async () => {
    const remove = (path: string) => plane.request(path, { method: 'DELETE' });
    expectError(await remove('/v1/models/en_US/first_names'), 403, 'forbidden');
    expectError(await remove('/v1/models/en_US%2Ffirst_names'), 403, 'forbidden');
    for (const id of ['en_US/none', 'custom/none', 'private/none', 'x'])
      expectError(await remove(`/v1/models/${id}`), 404, 'not_found');
    expect((await get('/v1/models/en_US/first_names')).status).toBe(200);
  });
});

describe('models of another organisation', () => {
  it('cannot be read, used for generation or replaced', async () => {
    const [a, b] = [await newcomer(), await newcomer()];
    await upload(a.token, { name: 'secret' });
    expectError(await get('/v1/models/custom/secret', b.token), 404, 'not_found');
    const removed = await plane.request('/v1/models/custom/secret', { method: 'DELETE', token: b.token });
    expectError(removed, 404, 'not_found');
    expect((await page('?type=custom', b.token)).models).toEqual([]);
    expectError(await generate(b.token, 'custom/secret'), 422, 'validation_error', 'no model of this name');
    // All threads generate from the owner's model first. The other organisation still cannot use it.
    await Promise.all(Array.from({ length: 8 }, () => generate(a.token, 'custom/secret')));
    expect((await generate(b.token, 'custom/secret')).status).toBe(422);
    const other = modelFile({}, ['Zoe', 'Zora', 'Zita']);
    expect((await upload(b.token, { name: 'secret', file: other })).status).toBe(201);
    expect((await generate(b.token, 'custom/secret')).text).toContain('"it":"Z');
    expect((await generate(a.token, 'custom/secret')).text).not.toContain('"it":"Z');
  });
});

describe('models that agents trained', () => {
  it('[1/6, 2.1/4] are listed separately, shown and deleted', async () => {
    const { orgId, token } = await newcomer();
    const agentId = await plane.addAgent({ orgId });
    await plane.query(
      `INSERT INTO private_models (organization_id, name, hash, agent_id, trained_at)
       VALUES ($1, 'private/companies', $2, $3, '2026-02-01T00:00:00Z'), ($1, 'private/old', $2, $3, '2026-01-01T00:00:00Z')`,
      [orgId, 'a'.repeat(64), agentId],
    );
    const shown = {
      id: 'private/companies',
      name: 'companies',
      type: 'private',
      kind: 'ngram',
      hash: 'a'.repeat(64),
      agent_id: agentId,
      trained_at: '2026-02-01T00:00:00.000Z',
    };
    const { models, total } = await page('?type=private', token);
    expect([models, total]).toEqual([[shown, expect.objectContaining({ id: 'private/old' })], 2]);
    expect(await page('?type=private&per_page=1&page=2', token)).toMatchObject({
      models: [{ id: 'private/old' }],
      total: 2,
    });
    expect((await page('?type=all&per_page=100', token)).models.some(({ type }) => type === 'private')).toBe(
      false,
    );
    expect(dataOf(await get('/v1/models/private/companies', token))).toEqual(shown);
    const { token: foreign } = await newcomer();
    expectError(await get('/v1/models/private/companies', foreign), 404, 'not_found');
    const remove = (by: string) =>
      plane.request('/v1/models/private/companies', { method: 'DELETE', token: by });
    expectError(await remove(foreign), 404, 'not_found');
    expect(dataOf(await remove(token))).toEqual({ deleted: true, id: 'private/companies' });
    expectError(await remove(token), 404, 'not_found');
    expectError(await generate(token, 'private/old'), 422, 'validation_error');
  });
});

/** Sends the path unchanged. `fetch` would resolve `.` and `..` in it. */
function rawGet(path: string): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(plane.url);
    const sent = httpRequest(
      { hostname, port, path, headers: { authorization: `Bearer ${plane.token}` } },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: new Headers(), text, body: JSON.parse(text) }),
        );
      },
    );
    sent.on('error', reject).end();
  });
}
