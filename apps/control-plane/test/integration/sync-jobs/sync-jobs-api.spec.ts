import { generateKeyPair, open, sealingPurpose } from '@understudy/agent-protocol/sealed-box';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const PASSWORD = 'c4n4ry-passw0rd';
const URL_SOURCE = `postgresql://app:${PASSWORD}@db.internal:6432/shop`;
const job = (changes: Record<string, unknown> = {}) => ({
  name: 'nightly',
  source: { type: 'postgresql', connection_string: 'agent:shop_production' },
  target: { type: 'postgres', connection_string: 'agent:shop_staging' },
  tables: [{ name: 'customers', columns: { id: { preserve: true } } }],
  ...changes,
});
const PENDING = {
  status: 'pending',
  rows_processed: 0,
  rows_total: null,
  bytes_processed: 0,
  bytes_total: null,
};
const withColumns = (columns: unknown) => job({ tables: [{ name: 'customers', columns }] });
const withSubset = (subset: unknown) => job({ tables: [{ name: 'customers', subset }] });
const withSource = (connection_string: unknown) => job({ source: { type: 'postgresql', connection_string } });

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane?.stop());

const post = (body: unknown, token?: string) =>
  plane.request('/v1/sync/jobs', { method: 'POST', body, ...(token ? { token } : {}) });

describe('creating a sync job', () => {
  it('returns 201 with Location and the full job', async () => {
    const response = await post(
      job({
        seed: 7,
        now: '2026-02-03',
        unlisted_columns: 'reject',
        tables: [
          {
            name: 'customers',
            columns: {
              first_name: { generator: 'en_US/first_names' },
              nick: { generator: 'private/nicks', train: { order: 4, min_values: 5 } },
              email: { generator: 'template', pattern: '{{uuid}}@example.com' },
              id: { preserve: true },
            },
          },
          { name: 'sales.orders', unlisted_columns: 'null' },
        ],
      }),
    );
    expect(response.status).toBe(201);
    const { data } = response.body as unknown as { data: { id: string } };
    expect(response.headers.get('location')).toBe(`/v1/sync/jobs/${data.id}`);
    expect(data).toEqual({
      id: expect.stringMatching(/^job_[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'nightly',
      status: 'pending',
      source: 'agent:shop_production',
      target: 'agent:shop_staging',
      tables: ['customers', 'sales.orders'],
      table_count: 2,
      rows_processed: 0,
      created_at: expect.any(String),
      started_at: null,
      completed_at: null,
      run_of: null,
      seed: 7,
      now: '2026-02-03T00:00:00.000Z',
      unlisted_columns: 'reject',
      progress: {
        phase: null,
        rows_done: 0,
        rows_total: null,
        bytes_done: 0,
        bytes_total: null,
        rows_per_second: null,
        bytes_per_second: null,
        estimated_end: null,
        build: null,
      },
      unlisted_tables: 'ignore',
      refresh_materialized_views: false,
      replaced: null,
      source_code: null,
      orphans: 'fail',
      subset: [],
      table_counts: { pending: 2, copying: 0, indexing: 0, verifying: 0, completed: 0 },
      table_progress: [
        { name: 'customers', ...PENDING },
        { name: 'sales.orders', ...PENDING },
      ],
      phases: [],
      verification: null,
      attempt_history: [],
      attempts: 0,
      agent: null,
      agent_id: null,
      link: null,
      cancel_requested_at: null,
      models: [],
      generators: [],
      dry_run: false,
      prediction: null,
      left_out: null,
      error: null,
      error_code: null,
      warnings: [{ code: 'no_live_agent', message: expect.stringContaining('work waits') }],
    });
    const again = await plane.request(`/v1/sync/jobs/${data.id}`);
    expect(again.body).toMatchObject({ data });
  });

  it('accepts conditions and limits, and shows only the length of a condition', async () => {
    const where = `mail LIKE '%hunter2%' AND (born < date '1970-01-01' OR id IN (1, 2))`;
    const response = await post(
      job({
        tables: [
          { name: 'customers', subset: { where } },
          { name: 'orders', subset: { limit: 2 ** 31 } },
          { name: 'notes' },
          { name: 'lines', subset: { where: `a = '${'x'.repeat(4_090)}'`, limit: 0 } },
        ],
      }),
    );
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      data: {
        subset: [
          { name: 'customers', where_length: where.length, limit: null },
          { name: 'orders', where_length: null, limit: 2 ** 31 },
          { name: 'lines', where_length: 4_096, limit: 0 },
        ],
      },
    });
    expect(response.text).not.toContain('hunter2');
  });

  it('reports the path of a refused condition without quoting it', async () => {
    const response = await post(withSubset({ where: `id = 1 AND ${PASSWORD.replaceAll('-', '')}(id) = 2` }));
    expect(response.status).toBe(422);
    expect(response.text).not.toContain('passw0rd');
    expect(response.body).toMatchObject({
      error: { details: [{ message: expect.stringMatching(/position 12 of a string of \d+ characters/) }] },
    });
  });

  it.each([-Number.MAX_SAFE_INTEGER, -1, 0, Number.MAX_SAFE_INTEGER])('keeps the seed %d', async (seed) => {
    const { body } = await post(job({ seed }));
    const { id } = (body as unknown as { data: { id: string } }).data;
    expect((await plane.request(`/v1/sync/jobs/${id}`)).body).toMatchObject({ data: { seed } });
  });

  it('[2.9.4/13] warns about a constraint that a rule ignores, with its path', async () => {
    const response = await post(
      withColumns({
        note: {
          type: 'model',
          source: 'en_US/words',
          generation: { mode: 'sentence' },
          constraints: { max_length: 40 },
        },
      }),
    );
    expect(response.status).toBe(201);
    const { data } = response.body as unknown as { data: { id: string; warnings: unknown[] } };
    const warning = {
      code: 'constraint_not_applied',
      field: 'tables[0].columns.note.constraints.max_length',
      message: expect.stringContaining('is not applied in mode sentence'),
    };
    expect(data.warnings).toContainEqual(warning);
    const { body } = await plane.request(`/v1/sync/jobs/${data.id}`);
    expect((body as unknown as { data: typeof data }).data.warnings).toContainEqual(warning);
  });

  it('chooses a random seed of 53 bits by default', async () => {
    const responses = await Promise.all([post(job()), post(job())]);
    const seeds = responses.map(({ body }) => (body as unknown as { data: { seed: number } }).data.seed);
    expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)).toBe(true);
    expect(seeds[0]).not.toBe(seeds[1]);
  });

  it('keeps the order of column names that are property names of JavaScript objects', async () => {
    const columns = '{"zzz":{"preserve":true},"__proto__":{"preserve":true},"constructor":{"preserve":true}}';
    const response = await post(JSON.stringify(job()).replace('{"id":{"preserve":true}}', columns));
    expect(response.status).toBe(201);
    const [row] = await plane.query(
      'SELECT definition::text FROM sync_jobs ORDER BY created_at DESC LIMIT 1',
    );
    expect(String(row?.['definition'])).toMatch(/zzz.*__proto__.*constructor/);
  });

  it.each<[string, unknown, string]>([
    ['no name', job({ name: undefined }), 'name'],
    ['a number as name', job({ name: 5 }), 'name'],
    ['a name of nothing', job({ name: '' }), 'name'],
    ['a long name', job({ name: 'x'.repeat(201) }), 'name'],
    ['U+0000 in the name', job({ name: 'a\0b' }), 'name'],
    ['another type', job({ source: { type: 'mysql', connection_string: 'agent:a' } }), 'source.type'],
    ['no connection string', job({ source: { type: 'postgresql' } }), 'source.connection_string'],
    ['a source that is text', job({ source: 'agent:a' }), 'source'],
    ['a URL of another kind', withSource(`mysql://u:${PASSWORD}@h/d`), 'source.connection_string'],
    ['a URL without a database', withSource(`postgresql://u:${PASSWORD}@h`), 'source.connection_string'],
    [
      'a password in parameters',
      withSource(`postgresql://h/d?password=${PASSWORD}`),
      'source.connection_string',
    ],
    ['no tables', job({ tables: [] }), 'tables'],
    ['tables that are no list', job({ tables: {} }), 'tables'],
    ['a table that is text', job({ tables: ['customers'] }), 'tables[0]'],
    [
      'a thousand tables and one',
      job({ tables: Array.from({ length: 1001 }, (_, i) => ({ name: `t${i}` })) }),
      'tables',
    ],
    ['a table name that is none', job({ tables: [{ name: 'a b' }] }), 'tables[0].name'],
    [
      'one table twice',
      job({ tables: [{ name: 'Customers' }, { name: 'public.customers' }] }),
      'tables[1].name',
    ],
    ['columns that are a list', job({ tables: [{ name: 't', columns: [] }] }), 'tables[0].columns'],
    ['an unlisted_columns of its own', job({ unlisted_columns: 'drop' }), 'unlisted_columns'],
    ['a seed as text', job({ seed: '7' }), 'seed'],
    ['a seed below -(2^53 - 1)', job({ seed: -(2 ** 53) }), 'seed'],
    ['a seed of 54 bits', job({ seed: 2 ** 53 }), 'seed'],
    ['an instant that is none', job({ now: '2026-02-30' }), 'now'],
    ['a subset of the job', job({ subset: { limit: 1 } }), 'subset'],
    ['a subset that asks for nothing', withSubset({}), 'tables[0].subset'],
    ['a subset that is text', withSubset('id = 1'), 'tables[0].subset'],
    ['an unknown key of a subset', withSubset({ limit: 1, order: 'id' }), 'tables[0].subset.order'],
    ['a negative limit', withSubset({ limit: -1 }), 'tables[0].subset.limit'],
    ['a limit past 2^31', withSubset({ limit: 2 ** 31 + 1 }), 'tables[0].subset.limit'],
    ['a limit as text', withSubset({ limit: '1' }), 'tables[0].subset.limit'],
    ['a where that is a number', withSubset({ where: 1 }), 'tables[0].subset.where'],
    ['an empty where', withSubset({ where: '' }), 'tables[0].subset.where'],
    [
      'a where that calls a function',
      withSubset({ where: `pg_sleep(10) = '${PASSWORD}'` }),
      'tables[0].subset.where',
    ],
    ['a where with a subquery', withSubset({ where: `id IN (SELECT 1)` }), 'tables[0].subset.where'],
    ['a where with a comment', withSubset({ where: `id = 1 -- ${PASSWORD}` }), 'tables[0].subset.where'],
    ['a where with dollar quotes', withSubset({ where: `id = $a$${PASSWORD}$a$` }), 'tables[0].subset.where'],
    ['a where that goes on', withSubset({ where: `id = 1) OR (1 = 1` }), 'tables[0].subset.where'],
    ['a where with U+0000', withSubset({ where: `id = '\0'` }), 'tables[0].subset.where'],
    [
      'a where of 4,097 bytes',
      withSubset({ where: `id = '${'x'.repeat(4_090)}'` }),
      'tables[0].subset.where',
    ],
    [
      'a where a thousand levels deep',
      withSubset({ where: `${'('.repeat(1_000)}id = 1${')'.repeat(1_000)}` }),
      'tables[0].subset.where',
    ],
    ['a dry_run that is text', job({ dry_run: 'true' }), 'dry_run'],
    ['a where beside the subset', job({ tables: [{ name: 't', where: 'x' }] }), 'tables[0].where'],
    ['a rule that is text', withColumns({ email: 'mask' }), 'tables[0].columns.email'],
    ['a rule without a form', withColumns({ email: {} }), 'tables[0].columns.email'],
    [
      'an unknown key of a rule',
      withColumns({ email: { preserve: true, x: 1 } }),
      'tables[0].columns.email.x',
    ],
    [
      'a model that does not exist',
      withColumns({ email: { generator: 'en_US/nothing' } }),
      'tables[0].columns.email.generator',
    ],
    [
      'a template that does not parse',
      withColumns({ email: { generator: 'template', pattern: '{{' } }),
      'tables[0].columns.email.pattern',
    ],
    [
      'an unknown function',
      withColumns({ email: { generator: 'template', pattern: '{{sha1(1)}}' } }),
      'tables[0].columns.email.pattern',
    ],
    [
      'an unknown function in the transform of a template',
      withColumns({ email: { generator: 'template', pattern: '{{uuid}}', transform: 'sha1(value)' } }),
      'tables[0].columns.email.transform',
    ],
    [
      'a column that is not produced',
      withColumns({ email: { generator: 'template', pattern: '{{other}}' } }),
      'tables[0].columns.email.pattern',
    ],
    [
      'a column that reads itself',
      withColumns({ email: { generator: 'template', pattern: '{{email}}' } }),
      'tables[0].columns.email',
    ],
    [
      'a consistent rule that reads another column',
      withColumns({
        email: { generator: 'template', pattern: '{{name}}', consistent: true },
        name: { generator: 'en_US/first_names' },
      }),
      'tables[0].columns.email.consistent',
    ],
    [
      'a rule that says differs and makes 19 values',
      withColumns({
        code: { type: 'svc', algorithm: 'int_between', params: { min: 1, max: 19 }, differs: true },
      }),
      'tables[0].columns.code.differs',
    ],
    [
      'a place that says differs and makes two values',
      withColumns({ doc: { json: { 'a.b': { type: 'list', values: ['M', 'F'], differs: true } } } }),
      'tables[0].columns.doc.json["a.b"].differs',
    ],
    [
      'a consistent rule that counts rows',
      withColumns({ id: { type: 'svc', algorithm: 'sequence', consistent: true } }),
      'tables[0].columns.id.consistent',
    ],
    [
      'unique deep inside a definition',
      withColumns({
        code: {
          generator: { let: { n: { type: 'svc', algorithm: 'digits', unique: true } }, body: '{{n}}' },
        },
      }),
      'tables[0].columns.code.let.n.unique',
    ],
    [
      'a path that is none',
      withColumns({ doc: { json: { 'a..b': { generator: 'en_US/first_names' } } } }),
      'tables[0].columns.doc.json["a..b"]',
    ],
    [
      'a model at a path that does not exist',
      withColumns({ doc: { json: { 'a.b': { generator: 'en_US/nothing' } } } }),
      'tables[0].columns.doc.json["a.b"].generator',
    ],
    [
      'a document that reads itself',
      withColumns({ doc: { json: { a: { generator: 'template', pattern: '{{doc}}' } } } }),
      'tables[0].columns.doc.json.a',
    ],
    [
      'unique inside a document',
      withColumns({ doc: { json: { a: { generator: 'en_US/first_names', unique: true } } } }),
      'tables[0].columns.doc.json.a.unique',
    ],
  ])('refuses %s with 422 and its path', async (_, body, field) => {
    const response = await post(body);
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ error: { code: 'validation_error' } });
    const { details } = (response.body as unknown as { error: { details: { field: string }[] } }).error;
    expect(details.map((detail) => detail.field)).toContain(field);
    expect(response.text).not.toContain(PASSWORD);
  });

  it('refuses query parameters', async () => {
    const response = await plane.request('/v1/sync/jobs?dry_run=true', { method: 'POST', body: job() });
    expect(response.status).toBe(422);
    expect(response.text).toContain('"field":"dry_run"');
  });

  it('reports all problems together', async () => {
    const response = await post(job({ source: { type: 'x' }, seed: 'x', extra: 1 }));
    const { details } = (response.body as unknown as { error: { details: { field: string }[] } }).error;
    expect(details.map(({ field }) => field).sort()).toEqual([
      'extra',
      'seed',
      'source.connection_string',
      'source.type',
    ]);
  });
});

describe('a connection URL', () => {
  it('is refused with 409 while there is no agent to decrypt it', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const response = await post(withSource(URL_SOURCE), token);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('Enrol') },
    });
    expect(response.text).not.toContain(PASSWORD);
  });

  it('is sealed to every enrolled agent and shown without its password', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const keys = await generateKeyPair();
    const agentId = await plane.addAgent({ orgId, sealingKey: keys.publicKey });
    const second = await plane.addAgent({ orgId, sealingKey: (await generateKeyPair()).publicKey });
    const revoked = await plane.addAgent({ orgId, sealingKey: keys.publicKey });
    await plane.query('UPDATE agents SET revoked_at = now() WHERE id = $1', [revoked]);
    const response = await post(withSource(URL_SOURCE), token);
    expect(response.status).toBe(201);
    const { data } = response.body as unknown as { data: { id: string; source: string } };
    expect(data.source).toBe('postgresql://app:***@db.internal:6432/shop');

    const [row] = await plane.query('SELECT source FROM sync_jobs WHERE id = $1', [data.id]);
    const { by_agent } = row?.['source'] as {
      by_agent: Record<string, { encapsulated_key: string; ciphertext: string }>;
    };
    expect(Object.keys(by_agent).sort()).toEqual([agentId, second].sort());
    const box = by_agent[agentId];
    const plaintext = await open(
      keys.privateKey,
      {
        encapsulatedKey: Buffer.from(box?.encapsulated_key ?? '', 'base64'),
        ciphertext: Buffer.from(box?.ciphertext ?? '', 'base64'),
      },
      sealingPurpose({ organizationId: orgId, jobId: data.id, field: 'source' }),
    );
    expect(new TextDecoder().decode(plaintext)).toBe(URL_SOURCE);
    const everything = await plane.query('SELECT row_to_json(j)::text AS job FROM sync_jobs j');
    expect(JSON.stringify(everything)).not.toContain(PASSWORD);
  });
});

describe('reading jobs', () => {
  it('returns 404 for a job of another organisation', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const { body } = await post(job());
    const { id } = (body as unknown as { data: { id: string } }).data;
    expect((await plane.request(`/v1/sync/jobs/${id}`)).status).toBe(200);
    const foreign = await plane.request(`/v1/sync/jobs/${id}`, { token });
    expect(foreign.status).toBe(404);
    expect((await plane.request('/v1/sync/jobs', { token })).body).toMatchObject({
      data: { jobs: [], total: 0 },
    });
  });

  it('returns pages with the newest job first and filters by status', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    for (const name of ['one', 'two', 'three']) expect((await post(job({ name }), token)).status).toBe(201);
    await plane.query(
      `UPDATE sync_jobs SET status = 'failed', completed_at = now(), error_code = 'internal' WHERE organization_id = $1 AND name = 'two'`,
      [orgId],
    );
    const names = async (query: string) => {
      const { body } = await plane.request(`/v1/sync/jobs${query}`, { token });
      const { data } = body as unknown as {
        data: { jobs: { name: string; tables: string[] }[]; total: number };
      };
      expect(data.jobs.every(({ tables }) => tables[0] === 'customers')).toBe(true);
      return [data.total, ...data.jobs.map(({ name }) => name)];
    };
    expect(await names('')).toEqual([3, 'three', 'two', 'one']);
    expect(await names('?per_page=2')).toEqual([3, 'three', 'two']);
    expect(await names('?per_page=2&page=2')).toEqual([3, 'one']);
    expect(await names('?page=9')).toEqual([3]);
    expect(await names('?status=failed')).toEqual([1, 'two']);
    expect(await names('?status=completed&per_page=100')).toEqual([0]);
    const { body } = await plane.request('/v1/sync/jobs', { token });
    expect(body).toMatchObject({
      data: { jobs: [{ error_code: null }, { error_code: 'internal', progress: null, agent_id: null }, {}] },
    });
  });

  it('filters and sorts the list', async () => {
    const orgId = await plane.addOrganization();
    const { token } = await plane.addToken({ orgId });
    const agentId = await plane.addAgent({ orgId });
    for (const name of ['a 100% copy', 'B_copy', 'c copy'])
      expect((await post(job({ name }), token)).status).toBe(201);
    await plane.query(
      `UPDATE sync_jobs SET created_at = CASE name WHEN 'a 100% copy' THEN timestamptz '2026-01-01Z'
          WHEN 'B_copy' THEN timestamptz '2026-01-02Z' ELSE timestamptz '2026-01-03Z' END,
        status = CASE WHEN name = 'B_copy' THEN 'running' ELSE status END,
        started_at = CASE WHEN name = 'B_copy' THEN now() END,
        agent_id = CASE WHEN name = 'B_copy' THEN $2 END WHERE organization_id = $1`,
      [orgId, agentId],
    );
    const names = async (query: Record<string, string>) => {
      const response = await plane.request(`/v1/sync/jobs?${new URLSearchParams(query).toString()}`, {
        token,
      });
      const { data } = response.body as unknown as {
        data: { jobs: { name: string; tables: string[]; table_count: number }[] };
      };
      for (const { tables, table_count } of data.jobs)
        expect([tables.length, table_count]).toEqual([query['tables'] === 'none' ? 0 : 1, 1]);
      return data.jobs.map(({ name }) => name.slice(0, 1)).join('');
    };
    expect(await names({ name: 'COPY' })).toBe('cBa');
    expect(await names({ name: '0%' })).toBe('a');
    expect(await names({ name: '_' })).toBe('B');
    expect(await names({ name: '\\' })).toBe('');
    expect(await names({ name: 'x'.repeat(200) })).toBe('');
    expect(await names({ status: 'running,pending,running,pending' })).toBe('cBa');
    expect(await names({ status: 'running' })).toBe('B');
    expect(await names({ created_after: '2026-01-02' })).toBe('cB');
    expect(await names({ created_before: '2026-01-02' })).toBe('a');
    expect(await names({ created_after: '2026-01-02', created_before: '2026-01-02T00:00:00.001Z' })).toBe(
      'B',
    );
    expect(await names({ agent_id: agentId })).toBe('B');
    expect(await names({ sort: 'created_at', tables: 'none' })).toBe('aBc');
    expect(await names({ sort: '-created_at' })).toBe('cBa');
    expect(await names({ sort: 'status' })).toBe('caB');
    expect(await names({ sort: '-status' })).toBe('Bac');
    const byName = await names({ sort: 'name' });
    expect(['aBc', 'Bac']).toContain(byName); // the database's collation decides
    expect(await names({ sort: '-name' })).toBe([...byName].reverse().join(''));
  });

  it.each([
    'per_page=101',
    'per_page=0',
    'per_page=x',
    'page=0',
    'page=-1',
    'page=1.5',
    'status=done',
    'status=',
    'sort=source',
    'status=pending,',
    'name=',
    `name=${'x'.repeat(201)}`,
    'status=pending,running,completed,failed,pending',
    'created_after=yesterday',
    'agent_id=a',
    'tables=some',
    'page=1&page=2',
  ])('refuses ?%s', async (query) => {
    const response = await plane.request(`/v1/sync/jobs?${query}`);
    expect(response.status).toBe(422);
    const field = query.split('=')[0];
    expect(response.body).toMatchObject({ error: { details: [expect.objectContaining({ field })] } });
  });
});
