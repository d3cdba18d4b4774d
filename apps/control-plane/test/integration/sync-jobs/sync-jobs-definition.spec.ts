import { generateKeyPair } from '@understudy/agent-protocol/sealed-box';

import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const URL_SOURCE = 'postgresql://app:hunter2@db.internal:6432/shop';
const WHERE = "email = 'alice@example.com'";
const JOB = {
  name: 'part of the shop',
  source: { type: 'postgresql', connection_string: URL_SOURCE },
  target: { type: 'postgresql', connection_string: 'agent:shop_staging' },
  tables: [
    {
      name: 'customers',
      columns: {
        first_name: { generator: 'en_US/first_names', constraints: { max_length: 8 } },
        city: { type: 'list', values: ['Alicetown', 'Bobville'] },
        email: { generator: 'template', pattern: '{{slug(first_name)}}@example.com' },
      },
      subset: { where: WHERE },
    },
    { name: 'orders', columns: {}, unlisted_columns: 'reject', subset: { limit: 5 } },
  ],
  ...{ unlisted_columns: 'null', dry_run: false, seed: 7, now: '2026-02-03T00:00:00.000Z' },
};

interface Definition {
  definition: typeof JOB;
  withheld: string[];
}

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await plane.addAgent({ sealingKey: (await generateKeyPair()).publicKey });
});
afterAll(() => plane?.stop());

const post = (body: unknown) => plane.request('/v1/sync/jobs', { method: 'POST', body });

async function accepted(body: unknown): Promise<string> {
  const response = await post(body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return (response.body as unknown as { data: { id: string } }).data.id;
}

async function definitionOf(id: string): Promise<Definition> {
  const response = await plane.request(`/v1/sync/jobs/${id}/definition`);
  expect(response.status).toBe(200);
  for (const secret of ['hunter2', 'alice', 'Alicetown']) expect(response.text).not.toContain(secret);
  return (response.body as unknown as { data: Definition }).data;
}

describe('the definition of a sync job', () => {
  it('names each withheld part, and equals the request after they are filled in', async () => {
    const { definition, withheld } = await definitionOf(await accepted(JOB));
    expect(withheld).toEqual([
      ...['source.connection_string', 'tables[0].columns.city', 'tables[0].subset.where'],
    ]);
    const filled = structuredClone(definition);
    filled.source.connection_string = URL_SOURCE;
    Object.assign(filled.tables[0] as object, {
      columns: { ...filled.tables[0]?.columns, city: JOB.tables[0]?.columns.city },
      subset: { where: WHERE },
    });
    expect(filled).toEqual(JOB);
    expect(await definitionOf(await accepted(filled))).toEqual({ definition, withheld });
  });

  it('of a subset cannot be posted as a copy of the whole table', async () => {
    const { definition, withheld } = await definitionOf(await accepted(JOB));
    const response = await post(definition);
    expect(response.status).toBe(422);
    // The types of fields are checked before the rules, so the rule is reported after the others are filled in.
    expect(response.body).toMatchObject({
      error: {
        details: withheld
          .filter((path) => !path.includes('columns'))
          .map((field) => ({ field, message: expect.stringContaining('null') })),
      },
    });
  });

  it('is complete for a job without secrets and can be posted unchanged', async () => {
    const [, orders] = JOB.tables;
    const body = { ...JOB, source: JOB.target, tables: [orders], agent: { labels: ['eu'] } };
    const { definition, withheld } = await definitionOf(await accepted(body));
    expect([definition, withheld]).toEqual([body, []]);
    await accepted(definition);
  });

  it('contains the seed and the instant that the control plane chose', async () => {
    const body = { ...JOB, seed: undefined, now: undefined };
    const { definition } = await definitionOf(await accepted(body));
    expect(Number.isSafeInteger(definition.seed)).toBe(true);
    expect(definition.now).toMatch(/T00:00:00\.000Z$/);
  });

  it('is not found for another organisation, and after retention has removed the rules', async () => {
    const id = await accepted(JOB);
    const { token } = await plane.addToken({ orgId: await plane.addOrganization() });
    const path = `/v1/sync/jobs/${id}/definition`;
    expect((await plane.request(path, { token })).status).toBe(404);
    await plane.query('UPDATE sync_jobs SET definition_reduced_at = now() WHERE id = $1', [id]);
    const response = await plane.request(path);
    expect(response.body).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining('no longer stored') },
    });
  });
});
