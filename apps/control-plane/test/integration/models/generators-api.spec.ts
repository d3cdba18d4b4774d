import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startControlPlane, type ApiResponse, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ generators: { maxPerOrganization: 5, maxBytes: 2_000 } });
});
afterAll(() => plane?.stop());

const newcomer = async () => (await plane.addToken({ orgId: await plane.addOrganization() })).token;
const register = (token: string, composition: object) =>
  plane.request('/v1/generators', { method: 'POST', token, body: composition });
const get = (token: string, path = '') => plane.request(`/v1/generators${path}`, { token });
const remove = (token: string, id: string) =>
  plane.request(`/v1/generators/${id}`, { method: 'DELETE', token });
const generate = (token: string, generator: object) =>
  plane.request('/v1/generate', {
    method: 'POST',
    token,
    body: { schema: { generators: { it: generator }, output: ['it'] }, count: 3, seed: 1 },
  });
const postJob = (token: string, rule: object) =>
  plane.request('/v1/sync/jobs', {
    method: 'POST',
    token,
    body: {
      name: 'nightly',
      source: { type: 'postgresql', connection_string: 'agent:a' },
      target: { type: 'postgresql', connection_string: 'agent:b' },
      tables: [{ name: 't', columns: { c: rule } }],
    },
  });
const dataOf = (response: ApiResponse) => response.body['data'] as unknown as Record<string, unknown>;
const valuesOf = (response: ApiResponse) =>
  (dataOf(response)['records'] as { it: unknown }[] | undefined)?.map(({ it: value }) => value);
const problemsOf = (response: ApiResponse) =>
  (response.body['error'] as unknown as { details?: { field: string; message: string }[] }).details;

interface ApiDocument {
  readonly paths: {
    readonly '/generators': {
      readonly post: {
        readonly requestBody: {
          readonly content: {
            readonly 'application/json': {
              readonly schema: {
                readonly properties: Record<'version' | 'params', { readonly description: string }>;
              };
            };
          };
        };
      };
    };
  };
}

const GREETING = {
  name: '@acme/people:greeting',
  version: '1.0.0',
  description: 'A greeting.',
  params: { to: { type: 'string', required: true }, loud: { type: 'boolean', default: false } },
  let: { mark: { computed: "if(loud, '!', '.')" } },
  body: 'Hello {{to}}{{mark}}',
};

describe('a registered composition', () => {
  it('[2.9/4, 2.9.7/2, 2.9.7/6] is returned as it was sent and can be used by name or version', async () => {
    const token = await newcomer();
    const made = await register(token, GREETING);
    const id = '@acme/people:greeting@1.0.0';
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/generators/${id}`]);
    const shown = {
      id,
      name: GREETING.name,
      version: '1.0.0',
      description: 'A greeting.',
      output: 'string',
      created_at: expect.stringMatching(/Z$/),
      definition: GREETING,
      hash: createHash('sha256').update(JSON.stringify(GREETING)).digest('hex'),
      versions: ['1.0.0'],
    };
    expect(dataOf(made)).toEqual(shown);
    for (const path of [`/${id}`, `/${GREETING.name}`, `/${encodeURIComponent(id)}`])
      expect([path, dataOf(await get(token, path))]).toEqual([path, shown]);
    for (const use of [GREETING.name, id]) {
      const response = await generate(token, { use, params: { to: 'Ada', loud: true } });
      expect(valuesOf(response)).toEqual(['Hello Ada!', 'Hello Ada!', 'Hello Ada!']);
    }
    const without = await generate(token, { use: id, params: {} });
    expect([without.status, problemsOf(without)]).toEqual([
      422,
      [{ field: 'schema.generators.it.params.to', message: expect.stringContaining('required') }],
    ]);
  });

  it('takes the version and the parameters from the description in its body', async () => {
    const token = await newcomer();
    const { paths } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../../../docs/reference/openapi.json'), 'utf8'),
    ) as ApiDocument;
    const { properties } = paths['/generators'].post.requestBody.content['application/json'].schema;
    const unversioned = dataOf(await register(token, { name: '@a/b:plain', body: 'x' }));
    expect(properties.version.description).toBe(
      `Semantic version. Default: ${String(unversioned['version'])}.`,
    );
    const [, fields = ''] = /\{([^}]*)\}/.exec(properties.params.description) ?? [];
    const given = { type: 'string', default: 'a', description: 'd', required: false };
    expect(fields.replaceAll('?', '').split(', ').toSorted()).toEqual(Object.keys(given).toSorted());
    expect((await register(token, { name: '@a/b:p', params: { p: given }, body: 'x' })).status).toBe(201);
    const bounded = { p: { type: 'integer', minimum: 1 } };
    expect((await register(token, { name: '@a/b:q', params: bounded, body: 'x' })).status).toBe(422);
  });

  it('[9/5] has immutable versions, of which the highest is the default and each can be deleted', async () => {
    const token = await newcomer();
    for (const version of ['1.2.0', '1.10.0', '1.10.0-rc.1'])
      expect((await register(token, { name: '@a/b:c', version, body: version })).status).toBe(201);
    const again = await register(token, { name: '@a/b:c', version: '1.2.0', body: 'other' });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('conflict')]);
    expect(dataOf(await get(token, '/@a/b:c'))).toMatchObject({
      version: '1.10.0',
      versions: ['1.10.0', '1.10.0-rc.1', '1.2.0'],
    });
    expect(valuesOf(await generate(token, { use: '@a/b:c' }))?.[0]).toBe('1.10.0');
    expect(valuesOf(await generate(token, { use: '@a/b:c@1.2.0' }))?.[0]).toBe('1.2.0');
    expect(dataOf(await remove(token, '@a/b:c@1.10.0'))).toEqual({ deleted: true, id: '@a/b:c@1.10.0' });
    expect(valuesOf(await generate(token, { use: '@a/b:c' }))?.[0]).toBe('1.10.0-rc.1');
    expect((await remove(token, '@a/b:c')).status).toBe(200);
    expect((await get(token, '/@a/b:c')).status).toBe(404);
    expect((await remove(token, '@a/b:c')).status).toBe(404);
    const gone = await generate(token, { use: '@a/b:c' });
    expect([gone.status, problemsOf(gone)?.[0]?.field]).toEqual([422, 'schema.generators.it.use']);
  });

  it('can use other compositions, but not itself', async () => {
    const token = await newcomer();
    await register(token, { name: '@a/b:inner', version: '1.0.0', body: 'inner' });
    const outer = { name: '@a/b:outer', let: { x: { use: '@a/b:inner' } }, body: '<{{x}}>' };
    expect((await register(token, outer)).status).toBe(201);
    expect(valuesOf(await generate(token, { use: '@a/b:outer' }))?.[0]).toBe('<inner>');
    const circle = { name: '@a/b:inner', version: '2.0.0', let: { x: { use: '@a/b:outer' } }, body: '{{x}}' };
    const refused = await register(token, circle);
    expect([refused.status, problemsOf(refused)?.[0]?.field]).toEqual([422, 'let.x']);
    await remove(token, '@a/b:inner');
    const broken = await generate(token, { use: '@a/b:outer' });
    expect([broken.status, problemsOf(broken)?.[0]]).toEqual([
      422,
      { field: 'schema.generators.it', message: expect.stringMatching(/^in @a\/b:outer, let\.x/) },
    ]);
  });

  it.each([
    ['a misspelt param', { ...GREETING, body: 'Hello {{too}}' }, 'body', /did you mean.*to/i],
    [
      'a misspelt generator',
      { ...GREETING, let: { mark: { use: '@svc/core:lost' } } },
      'let.mark.use',
      /did you mean/i,
    ],
    ['a cycle of steps', { ...GREETING, let: { mark: { computed: 'mark' } } }, 'let', /./],
    ['two output forms', { ...GREETING, output: 1 }, 'body', /./],
    ['no namespace', { ...GREETING, name: 'greeting' }, 'name', /@<namespace>/],
    ["the product's own namespace", { ...GREETING, name: '@svc/core:x' }, 'name', /is reserved/],
    [
      'the namespace of a built-in model',
      { ...GREETING, name: '@models/en-us:full_names' },
      'name',
      /is reserved/,
    ],
    ['an invalid version', { ...GREETING, version: '1' }, 'version', /semantic/],
    ['an invalid description', { ...GREETING, description: 7 }, 'description', /./],
    [
      'a private model',
      { ...GREETING, let: { mark: { type: 'model', source: 'private/x' } } },
      'let',
      /model/,
    ],
  ])(
    '[2.9.7/5, 2.9.7/11] is refused with %s and the path of the problem',
    async (_, composition, field, message) => {
      const refused = await register(await newcomer(), composition);
      expect(refused.status).toBe(422);
      expect(
        problemsOf(refused)?.map((problem) => [problem.field.startsWith(field), problem.message]),
      ).toContainEqual([true, expect.stringMatching(message)]);
    },
  );

  it('is suggested for a misspelt name', async () => {
    const token = await newcomer();
    await register(token, GREETING);
    const refused = await generate(token, { use: '@acme/people:greting', params: { to: 'x' } });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('@acme/people:greeting')]);
  });

  it('has limits for its size and number', async () => {
    const token = await newcomer();
    const large = await register(token, { name: '@a/b:large', body: 'x'.repeat(2_000) });
    expect([large.status, large.text]).toEqual([422, expect.stringContaining('limit_exceeded')]);
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) => register(token, { name: `@a/b:g${index}`, body: 'x' })),
    );
    const statuses = made.map(({ status }) => status);
    expect([statuses.filter((status) => status === 201).length, new Set(statuses)]).toEqual([
      5,
      new Set([201, 422]),
    ]);
  });
});

describe('the list of compositions', () => {
  it('has pages, filters by name and namespace, and excludes other organisations', async () => {
    const token = await newcomer();
    for (const [name, version] of [
      ['@a/b:one', '1.0.0'],
      ['@a/b:one', '1.1.0'],
      ['@b/b:two', '1.0.0'],
    ])
      await register(token, { name, version, body: 'x' });
    const ids = async (query = '') => {
      const { generators, ...rest } = dataOf(await get(token, query));
      return [(generators as { id: string }[]).map(({ id }) => id), rest];
    };
    expect(await ids()).toEqual([
      ['@b/b:two@1.0.0', '@a/b:one@1.1.0', '@a/b:one@1.0.0'],
      { total: 3, page: 1, per_page: 20 },
    ]);
    expect(await ids('?per_page=1&page=2')).toEqual([['@a/b:one@1.1.0'], { total: 3, page: 2, per_page: 1 }]);
    expect((await ids('?name=@a/b:one'))[0]).toHaveLength(2);
    expect((await ids('?namespace=b'))[0]).toEqual(['@b/b:two@1.0.0']);
    expect(dataOf(await get(await newcomer()))).toEqual({ generators: [], total: 0, page: 1, per_page: 20 });
  });
});

describe('another organisation', () => {
  it('cannot read, use or delete a composition, and may use its name', async () => {
    const [ours, theirs] = [await newcomer(), await newcomer()];
    await register(ours, { name: '@a/b:secret', body: 'ours' });
    expect((await get(theirs, '/@a/b:secret')).status).toBe(404);
    expect((await remove(theirs, '@a/b:secret')).status).toBe(404);
    const used = await generate(theirs, { use: '@a/b:secret' });
    expect([used.status, used.text.includes('ours')]).toEqual([422, false]);
    expect((await register(theirs, { name: '@a/b:secret', body: 'theirs' })).status).toBe(201);
    expect(valuesOf(await generate(theirs, { use: '@a/b:secret' }))?.[0]).toBe('theirs');
    expect(valuesOf(await generate(ours, { use: '@a/b:secret' }))?.[0]).toBe('ours');
  });
});

describe('a sync job', () => {
  it('stores the compositions of its rules, including nested ones, and reports their versions and hashes', async () => {
    const token = await newcomer();
    await register(token, { name: '@a/b:inner', version: '1.0.0', body: 'in' });
    await register(token, { name: '@a/b:outer', let: { x: { use: '@a/b:inner' } }, body: '<{{x}}>' });
    const made = await postJob(token, { use: '@a/b:outer' });
    expect(made.status).toBe(201);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(dataOf(made)['generators']).toEqual([
      { name: '@a/b:outer@0.1.0', hash },
      { name: '@a/b:inner@1.0.0', hash },
    ]);
    const misspelt = await postJob(token, { use: '@a/b:oter' });
    expect([misspelt.status, misspelt.text]).toEqual([422, expect.stringContaining('@a/b:outer')]);
    expect((await remove(token, '@a/b:outer')).status).toBe(200);
  });
});

it('records the registration and deletion of a composition in the audit log', async () => {
  const token = await newcomer();
  await register(token, GREETING);
  await remove(token, GREETING.name);
  const { entries } = dataOf(await plane.request('/v1/audit-log', { token })) as {
    entries?: { action: string; target: object }[];
  };
  expect(entries?.slice(0, 2)).toMatchObject([
    { action: 'generator.deleted', target: { type: 'generator', id: GREETING.name } },
    { action: 'generator.registered', target: { type: 'generator', id: `${GREETING.name}@1.0.0` } },
  ]);
});
