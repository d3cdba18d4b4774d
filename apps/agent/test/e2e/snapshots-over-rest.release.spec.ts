import { waitFor } from '@understudy/testing';

import { snapshotScene } from './support/snapshot-scene.js';

jest.setTimeout(180_000); // one test starts the system again and waits until snapshots expire

describe('snapshots over REST', () => {
  const scene = snapshotScene();
  const {
    call,
    created,
    settled,
    ready,
    restored,
    dump,
    sql,
    newUrl,
    asRestorer,
    stored,
    killAgents,
    restart,
  } = scene;

  describe('of an agent that is killed', () => {
    it('are created by a second attempt, and nothing of the first attempt remains', async () => {
      const id = await created({ database: scene.sourceUrl });
      await waitFor(
        'its start',
        async () =>
          stored().some((path) => path.includes(id)) ||
          (await call('GET', `/snapshots/${id}`)).data.status === 'ready',
      );
      await killAgents();
      const view = await settled(`/snapshots/${id}`);
      expect([view.status, view.error ?? null]).toEqual(['ready', null]);
      const manifests = stored().filter((path) => path.includes(id) && path.includes('manifests'));
      expect(manifests).toHaveLength(1);
    });

    it('are restored by a second attempt, and no temporary database remains', async () => {
      const view = await ready({ database: scene.sourceUrl });
      const target = newUrl('restored_after_kill');
      const { data } = await call('POST', `/snapshots/${view.id}/restore`, {
        target_database: asRestorer(target),
      });
      await waitFor(
        'its start',
        async () =>
          (await call('GET', `/snapshots/${view.id}/restores/${data.restore_id}`)).data.status !== 'pending',
      );
      await killAgents();
      const restore = await settled(`/snapshots/${view.id}/restores/${data.restore_id}`);
      expect([restore.status, restore.error ?? null]).toEqual(['completed', null]);
      expect((await dump(target)).includes('CANARY-20000')).toBe(true);
      const { rows } = await scene.source.query(
        "SELECT datname FROM pg_database WHERE datname LIKE '%understudy\\_%' AND datname LIKE '%restored_after%'",
      );
      expect(rows).toEqual([]);
    });

    it('are erased after its restart if they have expired or were deleted, and others are kept', async () => {
      const make = () => ready({ database: scene.sourceUrl });
      const [kept, deleted, ...expiring] = await Promise.all([make(), make(), make(), make()]);
      const ids = expiring.map(({ id }) => id);
      const bytesOf = (these: readonly string[]) =>
        stored().filter((path) => these.some((id) => path.includes(id)));
      const statuses = () =>
        Promise.all(ids.map(async (id) => (await call('GET', `/snapshots/${id}`)).data.status));
      const listed = ids.map((id) => `'${id}'`).join();
      const unanswered = `SELECT id FROM snapshot_deletions WHERE snapshot_id IN (${listed}, '${deleted.id}')`;
      scene.death.arm('archive_deleted');
      // The control plane finds the expired snapshots itself and sends the commands to erase them.
      await sql(
        scene.stack.control_db_url,
        `UPDATE snapshots SET expires_at = now() WHERE id IN (${listed})`,
      );
      await scene.death.happened();
      expect(await statuses()).toEqual(ids.map(() => 'expired'));
      expect(await sql(scene.stack.control_db_url, unanswered)).not.toBe('');
      await call('DELETE', `/snapshots/${deleted.id}`);
      await restart();
      await waitFor(
        'the report that all of them are erased',
        async () => (await sql(scene.stack.control_db_url, unanswered)) === '',
        120_000, // an unacknowledged command is delivered again after 30 s
      );
      expect(bytesOf([...ids, deleted.id])).toEqual([]);
      expect(await statuses()).toEqual(ids.map(() => 'expired'));
      expect((await call('GET', `/snapshots/${deleted.id}`)).status).toBe(404);
      const restore = await restored(kept.id, {
        target_database: asRestorer(newUrl('restored_beside_expired')),
      });
      expect([restore.status, restore.error ?? null]).toEqual(['completed', null]);
    });
  });
});
