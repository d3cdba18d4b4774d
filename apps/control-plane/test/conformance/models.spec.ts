import { modelFile, modelForm } from '../integration/harness/model-files.js';
import {
  startControlPlane,
  type ApiResponse,
  type ControlPlane,
} from '../integration/harness/start-control-plane.js';

interface Model {
  readonly id: string;
  readonly name: string;
  readonly kind: 'ngram' | 'list' | 'composition';
  readonly ngram_order: number | null;
  readonly token_type: string | null;
  readonly locale: string;
  readonly type: string;
}

interface Page {
  readonly models: Model[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
}

const UPLOAD_VIEW = ['id', 'name', 'locale', 'type', 'ngram_order', 'created_at'];
const LIST_VIEW = ['id', 'name', 'locale', 'type', 'ngram_order', 'token_type', 'created_at'];
const BUILTIN = 'en_US/first_names';
const CUSTOM = 'custom/names';

let plane: ControlPlane;
let uploaded: ApiResponse;
beforeAll(async () => {
  plane = await startControlPlane();
  uploaded = await upload({ description: 'ten names' });
});
afterAll(() => plane?.stop());

const upload = (fields: Parameters<typeof modelForm>[0] = {}) =>
  plane.request('/v1/models', { method: 'POST', body: modelForm(fields) });
const dataOf = (response: ApiResponse) =>
  (response.body as unknown as { data: Record<string, unknown> }).data;
const list = async (query = ''): Promise<Page> => {
  const response = await plane.request(`/v1/models${query}`);
  expect(response.status).toBe(200);
  return dataOf(response) as unknown as Page;
};
const detail = async (id: string) => dataOf(await plane.request(`/v1/models/${id}`));
const both = async () => [await detail(BUILTIN), await detail(CUSTOM)];

async function everyModel(): Promise<Model[]> {
  const first = await list('?per_page=100');
  const second = await list('?per_page=100&page=2');
  const models = [...first.models, ...second.models];
  expect(models).toHaveLength(first.total);
  return models;
}

it('[2.1/1] A built-in model has the id `<locale>/<model_name>`, a custom one `custom/<model_name>`', async () => {
  for (const { id, type, locale } of (await list('?per_page=100')).models) {
    if (type === 'custom') expect(id).toMatch(/^custom\/[^/]+$/);
    else expect(id).toMatch(new RegExp(`^${locale}/[^/]+$`));
  }
  expect(dataOf(uploaded)['id']).toBe(CUSTOM);
});

it('[2.1/3] locale has the form `<lang>_<REGION>`', async () => {
  const { models } = await list('?per_page=100');
  expect(models.every(({ locale }) => /^[a-z]{2,3}_[A-Z]{2}$/.test(locale))).toBe(true);
});

it('[2.1/4] type is builtin or custom', async () => {
  expect((await both()).map(({ type }) => type)).toEqual(['builtin', 'custom']);
});

it('[2.1/2, 4.3/13] name is the display name of a model', async () => {
  const named = await upload({ name: 'Straßen & Plätze' });
  expect(dataOf(named)).toMatchObject({ id: 'custom/strassen-platze', name: 'Straßen & Plätze' });
  expect((await detail('custom/strassen-platze'))['name']).toBe('Straßen & Plätze');
  const { models } = await list('?type=custom&per_page=100');
  expect(models.map(({ name }) => name)).toContain('Straßen & Plätze');
  for (const name of ['', 'x'.repeat(201)]) expect((await upload({ name })).status).toBe(422);
});

it('[2.1/5] ngram_order is an integer', async () => {
  for (const { id, kind, ngram_order } of await everyModel()) {
    if (kind !== 'ngram') expect([id, ngram_order]).toEqual([id, null]);
    else expect([id, Number.isInteger(ngram_order) && Number(ngram_order) > 1]).toEqual([id, true]);
  }
  expect((await both()).map((model) => model['ngram_order'])).toEqual([expect.any(Number), 3]);
});

it('[2.1/6] token_type is the kind of token, char for one', async () => {
  expect((await both()).map((model) => model['token_type'])).toEqual(['char', 'char']);
  const models = await everyModel();
  expect(new Set(models.map(({ kind }) => kind))).toEqual(new Set(['ngram', 'list', 'composition']));
  for (const { id, kind, token_type } of models)
    if (kind === 'ngram') expect([id, ['char', 'word'].includes(String(token_type))]).toEqual([id, true]);
    else expect([id, token_type]).toEqual([id, null]);
});

it('[2.1/7, 2.1/11, 4.3/7] The list view carries id, name, locale, type, ngram_order, token_type, created_at', async () => {
  const { models } = await list('?per_page=100');
  for (const model of models) expect(Object.keys(model).sort()).toEqual([...LIST_VIEW, 'kind'].toSorted());
});

it('[2.1/8, 2.1/9, 2.1/10, 2.1/12] The detail view adds token_count, ngram_count, updated_at', async () => {
  const others = (await everyModel()).filter(({ kind }) => kind !== 'ngram').map(({ id }) => detail(id));
  for (const model of [...(await both()), ...(await Promise.all(others))]) {
    expect(Object.keys(model)).toEqual(
      expect.arrayContaining([...LIST_VIEW, 'token_count', 'ngram_count', 'updated_at']),
    );
    const counts = [model['token_count'], model['ngram_count']];
    const isCount = model['kind'] === 'ngram' ? Number.isInteger : (count: unknown) => count === null;
    expect([model['id'], counts.map(isCount)]).toEqual([model['id'], [true, true]]);
  }
});

it('[2.1/13, 4.3/15] The upload response carries id, name, locale, type, ngram_order, created_at', async () => {
  expect(Object.keys(dataOf(uploaded)).sort()).toEqual(UPLOAD_VIEW.toSorted());
});

it('[1/4, 4.3/1, 4.3/7] GET /models answers { models, total, page, per_page }', async () => {
  expect(await list()).toEqual({
    models: expect.any(Array),
    total: expect.any(Number),
    page: expect.any(Number),
    per_page: expect.any(Number),
  });
});

it('[4.3/3] locale filters by locale', async () => {
  const { models } = await list('?locale=en_US&per_page=100');
  expect(new Set(models.map(({ locale }) => locale))).toEqual(new Set(['en_US']));
});

it('[4.3/4] type filters by builtin, custom or all', async () => {
  const types = async (type: string) =>
    new Set((await list(`?type=${type}&per_page=100`)).models.map((model) => model.type));
  expect([await types('builtin'), await types('custom'), await types('all')]).toEqual([
    new Set(['builtin']),
    new Set(['custom']),
    new Set(['builtin', 'custom']),
  ]);
  expect((await plane.request('/v1/models?type=other')).status).toBe(422);
});

it('[4.3/5] page is 1 by default', async () => {
  expect(await list()).toEqual(await list('?page=1'));
  const { models, page } = await list('?page=2');
  expect([page, models[0]?.id === (await list()).models[0]?.id]).toEqual([2, false]);
});

it('[4.3/6, 8/10] per_page is 20 by default, at most 100', async () => {
  expect([(await list()).per_page, (await list()).models.length]).toEqual([20, 20]);
  expect((await list('?per_page=100')).models).toHaveLength(100);
  expect((await plane.request('/v1/models?per_page=101')).status).toBe(422);
});

it('[1/4, 4.3/8] GET /models/:id answers the detail view', async () => {
  expect(await detail(BUILTIN)).toMatchObject({ id: BUILTIN, token_count: expect.any(Number) });
  expect((await plane.request('/v1/models/en_US/none')).status).toBe(404);
});

it('[4.3/9] The slash of an id may be written as / or as %2F', async () => {
  for (const id of ['en_US/first_names', 'en_US%2Ffirst_names'])
    expect(await detail(id)).toMatchObject({ id: BUILTIN });
});

it('[1/4, 4.3/10, 4.3/14] POST /models takes multipart/form-data with file, name and description', async () => {
  expect([uploaded.status, (await detail(CUSTOM))['description']]).toEqual([201, 'ten names']);
  const json = await plane.request('/v1/models', { method: 'POST', body: { name: 'x' } });
  expect(json.status).toBe(415);
});

it('[4.3/12, 4.3/13, 4.3/14] file and name are required, description is not', async () => {
  for (const field of ['file', 'name']) {
    const response = await upload({ name: 'other', [field]: null });
    expect([response.status, response.body]).toMatchObject([422, { error: { details: [{ field }] } }]);
  }
  expect((await upload({ name: 'undescribed', file: modelFile() })).status).toBe(201);
});

it('[4.3/15] The answer to an upload has type custom', async () => {
  expect(dataOf(uploaded)['type']).toBe('custom');
});

it('[1/4, 4.3/16, 4.3/17] DELETE /models/:id deletes a custom model and answers { deleted, id }', async () => {
  await upload({ name: 'passing' });
  const deleted = await plane.request('/v1/models/custom/passing', { method: 'DELETE' });
  expect([deleted.status, dataOf(deleted)]).toEqual([200, { deleted: true, id: 'custom/passing' }]);
  expect((await plane.request('/v1/models/custom/passing')).status).toBe(404);
});

it('per_page of GET /models is 20 by default and at most 100', async () => {
  expect((await list()).per_page).toBe(20);
  expect((await list('?per_page=100')).per_page).toBe(100);
  expect((await plane.request('/v1/models?per_page=101')).status).toBe(422);
});
