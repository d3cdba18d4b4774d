import { waitFor } from '@understudy/testing';

import { LEASE_SECONDS, lostLinkScene, ROWS } from './support/lost-link-scene.js';

describe('a job whose agent loses its link', () => {
  const { startOne, post, view, atSwitch, ended, rowsIn, switched, unlock, cut, restore, call, target } =
    lostLinkScene();

  it('keeps its attempt and its rows through two cuts, and switches while the link is cut', async () => {
    const agent = await startOne();
    const id = await post();
    await atSwitch(id, agent);
    const newcomer = await startOne();
    cut(agent);
    await waitFor('a silence that is longer than a lease', async () =>
      agent.leases.running().some(({ silentForMs }) => silentForMs > (LEASE_SECONDS + 1) * 1_000),
    );
    await restore();
    await waitFor('a reply', async () =>
      agent.leases.running().some(({ silentForMs }) => silentForMs < 2_000),
    );
    cut(agent);
    await unlock();
    await switched();
    expect(await view(id)).toMatchObject({ status: 'running', agent_id: agent.id });
    await restore();
    expect(await ended(id)).toMatchObject({
      status: 'completed',
      attempts: 1,
      agent_id: agent.id,
      rows_processed: ROWS,
    });
    expect((await view(id)).warnings.map(({ code }) => code)).toEqual(['waited_for_lock']);
    expect(newcomer.leases.running()).toEqual([]);
  });

  it('goes to another agent after a release, and the old agent can no longer commit', async () => {
    const old = await startOne();
    const id = await post();
    await atSwitch(id, old);
    const other = await startOne();
    cut(old);
    expect((await call('POST', `/sync/jobs/${id}/release`, {})).status).toBe(200);
    await atSwitch(id, other);
    await waitFor('the end of the old attempt', async () => old.leases.running().length === 0);
    expect(await rowsIn()).toBe(1);
    await unlock();
    expect(await ended(id)).toMatchObject({ status: 'completed', attempts: 1, agent_id: other.id });
    expect(await rowsIn()).toBe(ROWS);
  });

  it('is not done twice if it is released after its old agent has switched the target', async () => {
    const old = await startOne();
    const id = await post();
    await atSwitch(id, old);
    const other = await startOne();
    cut(old);
    await unlock();
    await switched();
    const fileOf = async () => (await target().query("SELECT pg_relation_filenode('t') AS file")).rows;
    const before = await fileOf();
    await call('POST', `/sync/jobs/${id}/release`, {});
    expect(await ended(id)).toMatchObject({
      status: 'completed',
      agent_id: other.id,
      rows_processed: ROWS,
    });
    expect(await fileOf()).toEqual(before);
  });
});
