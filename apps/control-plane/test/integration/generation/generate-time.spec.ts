import { waitFor } from '@understudy/testing';

import { ENDLESS, SMALL, WIDE } from '../harness/generation-schemas.js';
import { activityOf, openResponse, readToEnd } from '../harness/open-response.js';
import { startControlPlane, type ControlPlane } from '../harness/start-control-plane.js';

const WALL_MS = 2_000;

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ generation: { threads: 2, wallMs: WALL_MS } });
});
afterAll(() => plane?.stop());

const post = (body: unknown) => plane.request('/v1/generate', { method: 'POST', body });

describe('the time limit of a request', () => {
  it('ends work within one record and frees the threads', async () => {
    const endless = { schema: ENDLESS, count: 1 };
    for (const response of await Promise.all([post(endless), post(endless)])) {
      expect(response.body).toMatchObject({ error: { code: 'limit_exceeded' } });
      expect(response.status).toBe(422);
      expect(response.text).toContain(`${WALL_MS / 1000} s`);
    }
    // The threads ended with their work. A new one may need more than the time limit of a request to load.
    await waitFor('a new thread', async () => (await post({ schema: SMALL, count: 1 })).status === 200);
  });

  it('ends a response that its client does not read', async () => {
    const response = await waitFor('a response that began within the time limit', async () => {
      const opened = await openResponse(plane, { schema: WIDE, count: 100_000, format: 'csv' });
      return opened.response.statusCode === 200 ? opened : undefined;
    });
    await waitFor('a free thread', async () => (await activityOf(plane)).running === 0);
    expect((await readToEnd(response)).aborted).toBe(true);
  });
});
