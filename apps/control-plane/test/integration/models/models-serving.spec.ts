import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';

import { waitFor } from '@understudy/testing';

import { ENDLESS, SMALL } from '../harness/generation-schemas.js';
import { modelFile, modelForm } from '../harness/model-files.js';
import { activityOf, send } from '../harness/open-response.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ generation: { threads: 2 } });
});
afterAll(() => plane?.stop());

const postForm = (body: FormData, token?: string) =>
  plane.request('/v1/models', { method: 'POST', body, ...(token ? { token } : {}) });
const upload = (name: string, values?: readonly string[]) =>
  postForm(modelForm({ name, file: modelFile({}, values) }));
const generate = (source: string, count = 20) =>
  plane.request('/v1/generate', {
    method: 'POST',
    body: { schema: { generators: { it: { type: 'model', source } }, output: ['it'] }, count, seed: 1 },
  });
const postJob = (columns: unknown) =>
  plane.request('/v1/sync/jobs', {
    method: 'POST',
    body: {
      name: 'nightly',
      source: { type: 'postgresql', connection_string: 'agent:a' },
      target: { type: 'postgresql', connection_string: 'agent:b' },
      tables: [{ name: 't', columns }],
    },
  });

describe('during an upload', () => {
  it('other requests are served, both while the file is received and while it waits for a thread', async () => {
    const { sent, rest } = await halfAnUpload('slow');
    expect((await plane.request('/v1/models')).status).toBe(200);
    expect(
      (await plane.request('/v1/generate', { method: 'POST', body: { schema: SMALL, count: 1 } })).status,
    ).toBe(200);

    const busy = [1, 2].map(() => send(plane, { schema: ENDLESS, count: 1 }));
    await waitFor('two busy threads', async () => (await activityOf(plane)).running === 2);
    sent.end(rest);
    await waitFor('the file to wait for a thread', async () => (await activityOf(plane)).waiting === 1);
    expect((await plane.request('/v1/models/en_US/first_names')).status).toBe(200);
    for (const request of busy) request.destroy();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(201);
  });

  it('each organisation has a memory limit, and disconnected clients release their memory', async () => {
    const { token } = await plane.addToken({ orgId: await plane.addOrganization() });
    const large = { name: 'large', file: new Uint8Array(30 * 1024 * 1024) };
    const open = [];
    for (let i = 0; i < 4; i += 1) open.push(await halfAnUpload('large', large.file, 0.99));
    let refused = await postForm(modelForm(large));
    await waitFor('the server to hold what the kernel has received', async () => {
      if (refused.status === 422) refused = await postForm(modelForm(large));
      return refused.status !== 422;
    });
    expect([refused.status, refused.body]).toMatchObject([503, { error: { code: 'unavailable' } }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Another organisation has its own limit. A file of zeros is not a valid model.
    expect((await postForm(modelForm(large), token)).status).toBe(422);
    for (const { sent } of open) sent.destroy();
    await waitFor('free memory', async () => (await postForm(modelForm(large))).status === 422);
  });
});

describe('generating from a custom model', () => {
  it('returns the same values after the same file is uploaded again under its name', async () => {
    const names = ['Olga', 'Olaf', 'Oleg'];
    await upload('again', names);
    const first = await generate('custom/again');
    await plane.request('/v1/models/custom/again', { method: 'DELETE' });
    await upload('again', ['Udo', 'Ute', 'Ulf']);
    expect((await generate('custom/again')).text).toContain('"it":"U');
    await plane.request('/v1/models/custom/again', { method: 'DELETE' });
    await upload('again', names);
    const { data } = (await generate('custom/again')).body as unknown as { data: unknown };
    expect(data).toEqual((first.body as unknown as { data: unknown }).data);
  });

  it('supports many models in one schema and many parallel requests', async () => {
    const letters = ['A', 'E', 'I', 'O'];
    for (const letter of letters) await upload(`of_${letter}`, [`${letter}na`, `${letter}lf`, `${letter}mi`]);
    const schema = {
      generators: Object.fromEntries(
        letters.map((letter) => [letter, { type: 'model', source: `custom/of_${letter}` }]),
      ),
      output: letters,
    };
    const responses = await Promise.all(
      Array.from({ length: 12 }, () =>
        plane.request('/v1/generate', { method: 'POST', body: { schema, count: 50, seed: 3 } }),
      ),
    );
    for (const { status, body } of responses) {
      expect(status).toBe(200);
      const { records } = (body as unknown as { data: { records: Record<string, string>[] } }).data;
      for (const record of records)
        for (const letter of letters) expect(record[letter]?.startsWith(letter)).toBe(true);
    }
  });

  it('returns 500 if the models cannot be read, and works again afterwards', async () => {
    await upload('hidden');
    await plane.query('ALTER TABLE custom_models RENAME TO custom_models_away');
    try {
      const response = await generate('custom/hidden');
      expect([response.status, response.body]).toMatchObject([500, { error: { code: 'internal_error' } }]);
      expect((await generate('en_US/first_names')).status).toBe(200);
    } finally {
      await plane.query('ALTER TABLE custom_models_away RENAME TO custom_models');
    }
    expect((await generate('custom/hidden')).status).toBe(200);
  });
});

describe('the rules of a sync job', () => {
  it('can use custom models of the organisation', async () => {
    await upload('rules');
    const accepted = { generator: 'custom/rules', constraints: { starts_with: 'An' } };
    expect((await postJob({ a: accepted })).status).toBe(201);
    const refused = await postJob({
      a: { generator: 'custom/rules', constraints: { starts_with: 'Xx' } },
      b: { generator: 'custom/unknown' },
    });
    expect(refused.body).toMatchObject({
      error: {
        code: 'validation_error',
        details: [
          { field: 'tables[0].columns.a.constraints.starts_with' },
          { field: 'tables[0].columns.b.generator' },
        ],
      },
    });
  });
});

/** Sends the first part of an upload's form. Resolves when it is sent. */
async function halfAnUpload(
  name: string,
  file = modelFile({}, manyValues()),
  part = 0.5,
): Promise<{ sent: ClientRequest; rest: Buffer }> {
  const form = new Response(modelForm({ name, file }));
  const body = Buffer.from(await form.arrayBuffer());
  const sent = httpRequest(`${plane.url}/v1/models`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${plane.token}`,
      'content-type': form.headers.get('content-type') ?? '',
      'content-length': body.length,
    },
  });
  sent.on('error', () => undefined); // one test closes the connection early
  const cut = Math.floor(body.length * part);
  await new Promise<void>((resolve) => sent.write(body.subarray(0, cut), () => resolve()));
  return { sent, rest: body.subarray(cut) };
}

function manyValues(): string[] {
  return Array.from({ length: 20_000 }, (_, i) => (i * 2_654_435_761).toString(36));
}
