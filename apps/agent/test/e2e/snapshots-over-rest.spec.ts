import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { asLeastPrivileged, createOwnedDatabase, waitFor } from '@understudy/testing';

import { OWNER, snapshotScene } from './support/snapshot-scene.js';

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
    restart,
    stateFile,
  } = scene;

  it('[1/8, 2.3/4, 4.5/8] restore a dropped database unchanged and under its old name', async () => {
    const doomed = await createOwnedDatabase(
      scene.stack.databases_admin_url,
      OWNER,
      `CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t SELECT i, md5(i::text) FROM generate_series(1, 5000) i`,
    );
    const database = await asLeastPrivileged(doomed.url, { roles: ['snapshot'] });
    const before = await dump(doomed.url);
    const view = await ready({ database });
    expect(view.size_bytes).toBeGreaterThan(10_000);
    expect(view.tables).toEqual(['t']);
    await doomed.drop();
    const restore = await restored(view.id, { target_database: asRestorer(doomed.url), overwrite: false });
    expect([restore.status, restore.error ?? null]).toEqual(['completed', null]);
    expect(await dump(doomed.url)).toBe(before);
  });

  it('[1/8, 4.5/10] are deleted together with their files in the store', async () => {
    const view = await ready({ database: scene.sourceUrl });
    expect(stored().some((path) => path.includes(view.id))).toBe(true);
    const { status, data } = await call('DELETE', `/snapshots/${view.id}`);
    expect([status, data]).toEqual([200, { deleted: true, id: view.id }]);
    await waitFor('its bytes to be gone', async () => !stored().some((path) => path.includes(view.id)));
  });

  it('[4.5/9] cannot be restored into a target that is not empty or that is the source', async () => {
    const view = await ready({ database: scene.sourceUrl });
    const full = await createOwnedDatabase(scene.stack.databases_admin_url, OWNER, 'CREATE TABLE x (id int)');
    const refused = await call('POST', `/snapshots/${view.id}/restore`, {
      target_database: asRestorer(full.url),
    });
    expect(refused.status).toBe(409);
    const own = await call('POST', `/snapshots/${view.id}/restore`, {
      target_database: asRestorer(scene.source.url),
      overwrite: true,
    });
    expect(own.status).toBe(409);
    expect(await full.query('SELECT FROM x')).toMatchObject({ rows: [] });
  });

  it('fail with the name of the requested table that does not exist', async () => {
    const view = await settled(
      `/snapshots/${await created({ database: scene.sourceUrl, tables: ['people', 'nobody'] })}`,
    );
    expect(view).toMatchObject({ status: 'failed', error: { code: 'table_not_found' } });
    expect(JSON.stringify(view.error)).toContain('nobody');
  });

  describe('of an agent that is killed', () => {
    it('are restored only once if the agent is killed after the switch and before it reports the end', async () => {
      const view = await ready({ database: scene.sourceUrl });
      scene.death.arm('old_dropped');
      const target = newUrl('restored_in_silence');
      const { data } = await call('POST', `/snapshots/${view.id}/restore`, {
        target_database: asRestorer(target),
      });
      await scene.death.happened();
      // Changes in the target that are made before the agent restarts must not be lost.
      await sql(target, 'CREATE TABLE since (id int)');
      await restart();
      const restore = await settled(`/snapshots/${view.id}/restores/${data.restore_id}`);
      expect([restore.status, restore.error ?? null]).toEqual(['completed', null]);
      const after = await dump(target);
      expect([after.includes('CANARY-20000'), after.includes('since')]).toEqual([true, true]);
      expect(readdirSync(stateFile('snapshot-work'))).toEqual([]);
    });
  });

  it('reveal no row in responses or messages', () => {
    const journal = stateFile('journal');
    const left = readdirSync(journal).map((name) => readFileSync(join(journal, name), 'utf8'));
    expect(left.join('')).toContain('"restore"');
    expect([...scene.api.responses, ...left].join('\n')).not.toContain('CANARY-');
  });
});
