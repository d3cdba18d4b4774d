import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { StackInfo } from '@understudy/stack';
import { asLeastPrivileged, createOwnedDatabase, waitFor, type TestDatabase } from '@understudy/testing';

import { DieAtStep } from './support/die-at-step.js';
import { removeStack, startStack } from './support/stack.js';
import { RecordingApi } from './support/sync-over-rest.js';

jest.setTimeout(180_000); // one test starts the system again and waits until snapshots expire

const run = promisify(execFile);

interface View {
  readonly id: string;
  readonly status: string;
  readonly size_bytes: number;
  readonly tables: readonly string[];
  readonly restore_id: string;
  readonly error: { code: string } | null;
}

/** The role that owns the databases and their objects. */
const OWNER = 'shop_owner';

/** Uses real processes and the clock of the machine. */
describe('snapshots over REST', () => {
  let dataDir: string;
  let stack: StackInfo;
  let api: RecordingApi;
  let source: TestDatabase;
  /** The URL of the source for snapshots. */
  let sourceUrl: string;
  /** A URL for restores into new databases. */
  let restorer: string;
  let store: string;
  let death: DieAtStep;
  const up = () =>
    startStack({
      dataDir,
      settings: { UNDERSTUDY_LEASE_SECONDS: '10' },
      agentSettings: death.agentSettings,
    });

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-snapshots-'));
    store = join(dataDir, 'agent/state/snapshots');
    death = new DieAtStep(dataDir);
    stack = await up();
    api = new RecordingApi(stack.base_url, stack.api_token);
    source = await createOwnedDatabase(
      stack.databases_admin_url,
      OWNER,
      `CREATE TABLE people (id int PRIMARY KEY, name text);
       INSERT INTO people SELECT i, 'CANARY-' || i FROM generate_series(1, 20000) i;
       CREATE TABLE orders (id int PRIMARY KEY, person int REFERENCES people);
       INSERT INTO orders SELECT i, i FROM generate_series(1, 20000) i;
       CREATE VIEW names AS SELECT name FROM people`,
    );
    sourceUrl = await asLeastPrivileged(source.url, { roles: ['snapshot'] });
    restorer = await asLeastPrivileged(`${stack.databases_admin_url}/postgres`, {
      ...{ role: 'restorer', roles: ['restore'], objectOwners: [OWNER], isForNew: true },
    });
  });

  afterAll(() => removeStack(dataDir));

  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await api.call(method, path, body);
    return { status: answer.status, data: answer.body.data as unknown as View, error: answer.body.error };
  };
  const created = async (body: object) => {
    const { status, data } = await call('POST', '/snapshots', { name: 'e2e', ...body });
    expect(status).toBe(201);
    return data.id;
  };
  const settled = (path: string) =>
    waitFor(
      `${path} to settle`,
      async () => {
        const { data } = await call('GET', path);
        return !['creating', 'pending', 'running', 'restoring'].includes(data.status) && data;
      },
      90_000,
    );
  const ready = async (body: object) => {
    const view = await settled(`/snapshots/${await created(body)}`);
    expect([view.status, view.error ?? null]).toEqual(['ready', null]);
    return view;
  };
  const restored = async (id: string, body: object) => {
    const { status, data } = await call('POST', `/snapshots/${id}/restore`, body);
    expect(status).toBe(202);
    return settled(`/snapshots/${id}/restores/${data.restore_id}`);
  };
  const dump = async (url: string) => {
    const { stdout } = await run('pg_dump', [`--dbname=${url}`], { maxBuffer: 1 << 28 });
    return stdout.replace(/^\\(un)?restrict .*$/gm, '');
  };
  const sql = async (url: string, statement: string) =>
    (await run('psql', [url, '-qAtc', statement])).stdout.trim();
  const newUrl = (name: string) => `${stack.databases_admin_url}/${name}`;
  const asRestorer = (url: string) =>
    Object.assign(new URL(restorer), { pathname: new URL(url).pathname }).href;
  /** Returns the paths of the entries of `manifests` and `files` in the agent's store. */
  const stored = () => {
    const list = (name: string) =>
      existsSync(join(store, name)) ? readdirSync(join(store, name)).map((one) => `${name}/${one}`) : [];
    return [...list('manifests'), ...list('files')];
  };

  it('restore a dropped database unchanged and under its old name', async () => {
    const doomed = await createOwnedDatabase(
      stack.databases_admin_url,
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

  it('are deleted together with their files in the store', async () => {
    const view = await ready({ database: sourceUrl });
    expect(stored().some((path) => path.includes(view.id))).toBe(true);
    const { status, data } = await call('DELETE', `/snapshots/${view.id}`);
    expect([status, data]).toEqual([200, { deleted: true, id: view.id }]);
    await waitFor('its bytes to be gone', async () => !stored().some((path) => path.includes(view.id)));
  });

  it('cannot be restored into a target that is not empty or that is the source', async () => {
    const view = await ready({ database: sourceUrl });
    const full = await createOwnedDatabase(stack.databases_admin_url, OWNER, 'CREATE TABLE x (id int)');
    const refused = await call('POST', `/snapshots/${view.id}/restore`, {
      target_database: asRestorer(full.url),
    });
    expect(refused.status).toBe(409);
    const own = await call('POST', `/snapshots/${view.id}/restore`, {
      target_database: asRestorer(source.url),
      overwrite: true,
    });
    expect(own.status).toBe(409);
    expect(await full.query('SELECT FROM x')).toMatchObject({ rows: [] });
  });

  it('fail with the name of the requested table that does not exist', async () => {
    const view = await settled(
      `/snapshots/${await created({ database: sourceUrl, tables: ['people', 'nobody'] })}`,
    );
    expect(view).toMatchObject({ status: 'failed', error: { code: 'table_not_found' } });
    expect(JSON.stringify(view.error)).toContain('nobody');
  });

  describe('of an agent that is killed', () => {
    const killAgents = async () => {
      for (const pid of stack.pids.agents) process.kill(pid, 'SIGKILL');
      stack = await up();
    };

    it('are created by a second attempt, and nothing of the first attempt remains', async () => {
      const id = await created({ database: sourceUrl });
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
      const view = await ready({ database: sourceUrl });
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
      const { rows } = await source.query(
        "SELECT datname FROM pg_database WHERE datname LIKE '%understudy\\_%' AND datname LIKE '%restored_after%'",
      );
      expect(rows).toEqual([]);
    });

    it('are restored only once if the agent is killed after the switch and before it reports the end', async () => {
      const view = await ready({ database: sourceUrl });
      death.arm('old_dropped');
      const target = newUrl('restored_in_silence');
      const { data } = await call('POST', `/snapshots/${view.id}/restore`, {
        target_database: asRestorer(target),
      });
      await death.happened();
      // Changes in the target that are made before the agent restarts must not be lost.
      await sql(target, 'CREATE TABLE since (id int)');
      stack = await up();
      const restore = await settled(`/snapshots/${view.id}/restores/${data.restore_id}`);
      expect([restore.status, restore.error ?? null]).toEqual(['completed', null]);
      const after = await dump(target);
      expect([after.includes('CANARY-20000'), after.includes('since')]).toEqual([true, true]);
      expect(readdirSync(join(dataDir, 'agent/state/snapshot-work'))).toEqual([]);
    });

    it('are erased after its restart if they have expired or were deleted, and others are kept', async () => {
      const make = () => ready({ database: sourceUrl });
      const [kept, deleted, ...expiring] = await Promise.all([make(), make(), make(), make()]);
      const ids = expiring.map(({ id }) => id);
      const bytesOf = (these: readonly string[]) =>
        stored().filter((path) => these.some((id) => path.includes(id)));
      const statuses = () =>
        Promise.all(ids.map(async (id) => (await call('GET', `/snapshots/${id}`)).data.status));
      const listed = ids.map((id) => `'${id}'`).join();
      const unanswered = `SELECT id FROM snapshot_deletions WHERE snapshot_id IN (${listed}, '${deleted.id}')`;
      death.arm('archive_deleted');
      // The control plane finds the expired snapshots itself and sends the commands to erase them.
      await sql(stack.control_db_url, `UPDATE snapshots SET expires_at = now() WHERE id IN (${listed})`);
      await death.happened();
      expect(await statuses()).toEqual(ids.map(() => 'expired'));
      expect(await sql(stack.control_db_url, unanswered)).not.toBe('');
      await call('DELETE', `/snapshots/${deleted.id}`);
      stack = await up();
      await waitFor(
        'the report that all of them are erased',
        async () => (await sql(stack.control_db_url, unanswered)) === '',
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

  it('reveal no row in responses or messages', () => {
    const journal = join(dataDir, 'agent/state/journal');
    const left = readdirSync(journal).map((name) => readFileSync(join(journal, name), 'utf8'));
    expect(left.join('')).toContain('"restore"');
    expect([...api.responses, ...left].join('\n')).not.toContain('CANARY-');
  });
});
