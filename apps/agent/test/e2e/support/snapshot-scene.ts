import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { StackInfo } from '@understudy/stack';
import { asLeastPrivileged, createOwnedDatabase, waitFor, type TestDatabase } from '@understudy/testing';

import { DieAtStep } from './die-at-step.js';
import { removeStack, startStack } from './stack.js';
import { RecordingApi } from './sync-over-rest.js';

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
export const OWNER = 'shop_owner';

/**
 * Defines the hooks of a suite with real processes and the clock of the machine.
 * @returns what the tests do with snapshots
 */
export function snapshotScene() {
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
  const killAgents = async () => {
    for (const pid of stack.pids.agents) process.kill(pid, 'SIGKILL');
    stack = await up();
  };
  const restart = async () => {
    stack = await up();
  };

  return {
    ...{
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
    },
    // Set by the hooks.
    get stack() {
      return stack;
    },
    get api() {
      return api;
    },
    get source() {
      return source;
    },
    get sourceUrl() {
      return sourceUrl;
    },
    get death() {
      return death;
    },
    stateFile: (name: string) => join(dataDir, 'agent/state', name),
  };
}
