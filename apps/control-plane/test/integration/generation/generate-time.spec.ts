import { waitFor } from '@understudy/testing';

import { ENDLESS, SMALL, WIDE } from '../harness/generation-schemas.js';
import { activityOf, openAnswer, readToEnd } from '../harness/open-answer.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const WALL_MS = 2_000;

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ generation: { threads: 2, wallMs: WALL_MS } });
});
afterAll(() => plane?.stop());

const post = (body: unknown) => plane.request('/v1/generate', { method: 'POST', body });

describe('the time of a request', () => {
  it('ends work that is within one record, and the threads are there again', async () => {
    const endless = { schema: ENDLESS, count: 1 };
    for (const answer of await Promise.all([post(endless), post(endless)])) {
      expect(answer.body).toMatchObject({ error: { code: 'limit_exceeded' } });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain(`${WALL_MS / 1000} s`);
    }
    expect((await post({ schema: SMALL, count: 1 })).status).toBe(200);
  });

  it('ends an answer that its client does not read', async () => {
    const answer = await openAnswer(plane, { schema: WIDE, count: 100_000, format: 'csv' });
    expect(answer.response.statusCode).toBe(200);
    await waitFor('the thread to be free', async () => (await activityOf(plane)).running === 0);
    expect((await readToEnd(answer)).aborted).toBe(true);
  });
});
