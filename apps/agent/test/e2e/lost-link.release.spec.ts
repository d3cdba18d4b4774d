import { waitFor } from '@understudy/testing';

import { lostLinkScene } from './support/lost-link-scene.js';

describe('a job whose agent loses its link', () => {
  const { startOne, post, view, until, atSwitch, ended, rowsIn, unlock, left, cut, restore, call } =
    lostLinkScene();

  it('shows a cancel request during the cut, and is cancelled when the link is back', async () => {
    const agent = await startOne();
    const id = await post();
    await atSwitch(id, agent);
    cut(agent);
    await call('DELETE', `/sync/jobs/${id}`);
    expect(await view(id)).toMatchObject({ status: 'running', cancel_requested_at: expect.any(String) });
    await restore();
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    await waitFor('the cleanup', async () => (await left()).schemas === 0);
    expect(await rowsIn()).toBe(1);
  });

  it('is stopped and cleaned up by its agent if the agent is revoked during the cut', async () => {
    const agent = await startOne();
    const id = await post();
    await atSwitch(id, agent);
    cut(agent);
    await call('DELETE', `/agents/${agent.id}`);
    expect(await left()).toEqual({ schemas: 1, sessions: expect.any(Number) });
    await restore();
    await waitFor('the cleanup', async () => {
      const { schemas, sessions } = await left();
      return schemas === 0 && sessions === 0;
    });
    expect(await until('the release', id, (job) => job['link'] === null)).toMatchObject({
      status: 'running',
      error: null,
      attempts: 0,
    });
    expect(await rowsIn()).toBe(1);
  });

  it('goes to another agent if that agent could run it from the start', async () => {
    const [one, two] = [await startOne(), await startOne()];
    const id = await post();
    const holder = await waitFor('the job to run', async () =>
      [one, two].find(({ leases }) => leases.running().length > 0),
    );
    await atSwitch(id, holder);
    cut(holder);
    const other = holder === one ? two : one;
    await atSwitch(id, other);
    await unlock();
    const job = await ended(id);
    expect(job).toMatchObject({ status: 'completed', attempts: 1, agent_id: other.id });
    expect(job.warnings.map(({ code }) => code)).not.toContain('restarted_from_zero');
  });
});
