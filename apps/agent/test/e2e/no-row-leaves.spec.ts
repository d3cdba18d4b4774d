import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stackDown, type StackInfo } from '@understudy/stack';
import {
  asLeastPrivileged,
  createOwnedDatabase,
  createTestDatabase,
  startTestServices,
  TcpRecorder,
  type TestServices,
} from '@understudy/testing';

import { Canaries } from './support/canaries.js';
import { startStack } from './support/stack.js';
import { RecordingApi, type JobView, type SnapshotOutcome } from './support/sync-over-rest.js';

/** The role that owns the databases and their objects. */
const OWNER = 'shop_owner';

/**
 * Runs PostgreSQL, Redis, the control plane and the agent as processes. A relay in front of a real nats-server
 * records all traffic. Passwords and rows, including rows that the target rejects, contain canary values. No
 * data that the agent has sent may contain one of these values.
 */
describe('no row value and no password leaves the agent', () => {
  const canaries = new Canaries();
  const text = (label: string): string => canaries.text(label);
  const password = text('Password');
  const wrongPassword = text('WrongPassword');
  let dataDir: string;
  let nats: TestServices;
  let recorder: TcpRecorder;
  let stack: StackInfo;
  let api: RecordingApi;
  const jobs: Record<string, JobView> = {};
  const snapshots: Record<string, SnapshotOutcome> = {};
  let restoredUrl: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-canaries-'));
    nats = await startTestServices({ nats: true });
    const upstream = new URL(nats.natsUrl);
    recorder = await TcpRecorder.start({ host: upstream.hostname, port: Number(upstream.port) });
    Object.assign(process.env, {
      UNDERSTUDY_NATS_URL: `nats://${recorder.address}`,
      UNDERSTUDY_NATS_OPERATOR_SEED: nats.natsSeeds.operator,
      UNDERSTUDY_NATS_ACCOUNT_SEED: nats.natsSeeds.account,
      UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: nats.natsSeeds.agentAccount,
      UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: nats.natsSeeds.systemAccount,
    });
    stack = await startStack({ dataDir });
    api = new RecordingApi(stack.base_url, stack.api_token);
    await plantAndRun();
  });

  afterAll(async () => {
    await stackDown({ dataDir });
    for (const name of Object.keys(process.env))
      if (name.startsWith('UNDERSTUDY_NATS_')) Reflect.deleteProperty(process.env, name);
    await recorder?.stop();
    await nats?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function plantAndRun(): Promise<void> {
    const server = stack.databases_admin_url;
    const label = text('EnumLabel');
    const people = Array.from(
      { length: 300 },
      (_, n) => `(${n + 1}, '${text('Name')}', '${text('Mail')}@x.example')`,
    ).join(',\n');
    const source = await createOwnedDatabase(
      server,
      OWNER,
      `CREATE TYPE mood AS ENUM ('${label}', 'calm');
       CREATE TYPE pair AS (first text, second bigint);
       CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL, mail varchar(120) NOT NULL);
       INSERT INTO people VALUES ${people};
       CREATE TABLE everything (
         id bigint PRIMARY KEY, t text, v varchar(90), c char(60), n numeric, b bigint, j jsonb, js json,
         a text[], ja jsonb[], na bigint[], by bytea, m mood, p pair, nothing text);
       INSERT INTO everything VALUES (
         ${canaries.number()}, '${text('Text')}', '${text('Varchar')}', '${text('Char')}', ${canaries.number()}.5, ${canaries.number()},
         '{"a": {"${text('Key')}": ["${text('Deep')}", ${canaries.number()}]}}', '{"x": "${text('Json')}"}',
         ARRAY['${text('Element')}', '${text('Element')}'], ARRAY['{"y": "${text('InArray')}"}'::jsonb], ARRAY[${canaries.number()}],
         '${text('Bytes')}', '${label}', ROW('${text('Composite')}', ${canaries.number()}), NULL);
       CREATE TABLE breaks_unique (id int PRIMARY KEY, secret text);
       INSERT INTO breaks_unique SELECT n, '${text('Twice')}' FROM generate_series(1, 2) AS n;
       CREATE TABLE breaks_check (id int PRIMARY KEY, secret text);
       INSERT INTO breaks_check VALUES (1, '${text('Checked')}');
       CREATE TABLE breaks_not_null (id int PRIMARY KEY, secret text, other text);
       INSERT INTO breaks_not_null VALUES (1, '${text('Beside')}', NULL);
       CREATE TABLE breaks_foreign_key (id int PRIMARY KEY, secret text);
       INSERT INTO breaks_foreign_key VALUES (1, '${text('Dangling')}');
       CREATE TABLE raises (id int PRIMARY KEY, secret text);
       INSERT INTO raises VALUES (1, '${text('Raised')}');
       CREATE TABLE too_long (id int PRIMARY KEY, secret text);
       INSERT INTO too_long VALUES (1, '${text('Long')}');`,
    );
    const target = await createTestDatabase(
      server,
      `CREATE TABLE breaks_unique (id int PRIMARY KEY, secret text UNIQUE);
       CREATE TABLE breaks_check (id int PRIMARY KEY, secret text CHECK (length(secret) < 3));
       CREATE TABLE breaks_not_null (id int PRIMARY KEY, secret text, other text NOT NULL);
       CREATE TABLE parent (secret text PRIMARY KEY);
       CREATE TABLE breaks_foreign_key (id int PRIMARY KEY, secret text REFERENCES parent);
       CREATE FUNCTION loud(value text) RETURNS boolean LANGUAGE plpgsql AS
         $$BEGIN RAISE EXCEPTION 'no: %', value USING ERRCODE = 'ZQ' || substr(value, 1, 3), DETAIL = value, HINT = value; END$$;
       CREATE TABLE raises (id int PRIMARY KEY, secret text CHECK (loud(secret)));
       CREATE TABLE too_long (id int PRIMARY KEY, secret varchar(5));`,
    );
    const reader = await asLeastPrivileged(source.url, { roles: ['source', 'snapshot'], password });
    const masker = await asLeastPrivileged(target.url, { roles: ['target'], password });
    const withWrongPassword = Object.assign(new URL(reader), { password: wrongPassword }).href;
    const run = (tables: readonly object[], from = reader): Promise<JobView> =>
      api.sync({ source: from, target: masker, tables });

    jobs['copied'] = await run([
      {
        name: 'people',
        columns: {
          name: { generator: 'private/canary_names', train: { order: 2, min_values: 5 } },
          mail: { generator: 'template', pattern: '{{lowercase(name)}}@example.test' },
        },
      },
      { name: 'everything', columns: { t: { generator: 'en_US/first_names' } } },
    ]);
    for (const table of [
      'breaks_unique',
      'breaks_check',
      'breaks_not_null',
      'breaks_foreign_key',
      'raises',
      'too_long',
    ])
      jobs[table] = await run([{ name: table, columns: {} }]);
    jobs['wrong_password'] = await run([{ name: 'people', columns: {} }], withWrongPassword);
    jobs['nowhere'] = await run(
      [{ name: 'people', columns: {} }],
      `postgresql://reader:${wrongPassword}@127.0.0.1:1/none`,
    );
    await snapshotAndRestore(server, reader, withWrongPassword);
    await api.call('GET', '/sync/jobs?per_page=100');
    for (const { id } of Object.values(jobs)) await api.call('GET', `/sync/jobs/${id}/stored-data`);
    await api.call('GET', '/snapshots?per_page=100');
    await api.call('GET', '/agents');
  }

  async function snapshotAndRestore(server: string, source: string, unopened: string): Promise<void> {
    const [restored, target] = [
      await createOwnedDatabase(server, OWNER),
      await createOwnedDatabase(server, OWNER),
    ];
    const full = await createOwnedDatabase(server, OWNER, 'CREATE TABLE occupied (id int)');
    // The constraint accepts the rows only in this database, so that each restore into another one fails on a row.
    const local = await createOwnedDatabase(
      server,
      OWNER,
      `DO $do$BEGIN EXECUTE format($format$
         CREATE FUNCTION is_here(value text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN
           IF current_database() = %L THEN RETURN true; END IF;
           RAISE EXCEPTION 'no: %%', value USING DETAIL = value, HINT = value; END$$$format$, current_database()); END$do$;
       CREATE TABLE local_rows (id int PRIMARY KEY, secret text CHECK (is_here(secret)));
       INSERT INTO local_rows VALUES (1, '${text('Restored')}')`,
    );
    const restorer = ({ url }: { url: string }) =>
      asLeastPrivileged(url, { roles: ['restore'], password, objectOwners: [OWNER] });
    restoredUrl = restored.url;
    const taken = await api.snapshot(source);
    Object.assign(snapshots, {
      taken,
      restored: await api.restore(taken.id, await restorer(restored)),
      occupied: await api.restore(taken.id, await restorer(full)),
      unopened: await api.snapshot(unopened),
      local: await api.snapshot(await asLeastPrivileged(local.url, { roles: ['snapshot'], password })),
    });
    snapshots['broken'] = await api.restore(snapshots['local']?.id ?? '', await restorer(target));
  }

  it('ran jobs that touched every canary, and each failed as planned', () => {
    const outcome = Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [name, job.error?.code ?? job.status]),
    );
    expect(outcome).toEqual({
      copied: 'completed',
      breaks_unique: 'constraint_violation',
      breaks_check: 'constraint_violation',
      breaks_not_null: 'constraint_violation',
      breaks_foreign_key: 'constraint_violation',
      raises: 'database_error',
      too_long: expect.stringMatching(/value_invalid|column_mismatch/),
      wrong_password: 'authentication_failed',
      nowhere: expect.stringMatching(/connection_failed|policy_denied/),
    });
  });

  it('[0/5] created and restored a snapshot with every canary, and the other ones failed as planned', () => {
    expect(
      Object.fromEntries(Object.entries(snapshots).map(([name, { status, code }]) => [name, code ?? status])),
    ).toEqual({
      taken: 'ready',
      restored: 'completed',
      occupied: 'conflict',
      unopened: 'authentication_failed',
      local: 'ready',
      broken: 'create_failed',
    });
    const names = execFileSync('psql', [restoredUrl, '-qAtc', 'SELECT name FROM people']);
    expect(new Set(canaries.findIn(names)).size).toBe(300);
  });

  it('[0/4, 0/5, 1/6] finds no canary in the traffic of NATS', () => {
    const traffic = recorder.recorded();
    expect(traffic.includes('us.evt.')).toBe(true); // proves that the traffic passed the relay
    expect(traffic.includes(String(snapshots['broken']?.id))).toBe(true);
    expect(canaries.findIn(traffic)).toEqual([]);
  });

  it("finds no canary in JetStream's store", () => {
    const files = filesUnder(join(nats.folder, 'nats'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect({ file, found: canaries.findIn(readFileSync(file)) }).toEqual({ file, found: [] });
  });

  it("[0/5, 1/6] finds no canary in a dump of the control plane's database", () => {
    const dump = execFileSync('pg_dump', ['--inserts', stack.control_db_url], { maxBuffer: 1 << 28 });
    expect(dump.includes(String(jobs['copied']?.id))).toBe(true);
    expect(dump.includes(String(snapshots['broken']?.id))).toBe(true);
    expect(canaries.findIn(dump)).toEqual([]);
  });

  it('finds no canary in Redis', () => {
    const { hostname, port, password: auth } = new URL(stack.redis_url);
    const redis = (...args: string[]): Buffer =>
      execFileSync('redis-cli', ['-h', hostname, '-p', port, ...args], {
        env: { ...process.env, REDISCLI_AUTH: auth },
      });
    redis('CONFIG', 'SET', 'rdbcompression', 'no'); // a compressed dump would hide a canary
    const dump = join(dataDir, 'dump.rdb');
    redis('--rdb', dump);
    expect(readFileSync(dump).includes('bull:')).toBe(true);
    for (const file of [dump, ...filesUnder(join(dataDir, 'redis'))])
      expect({ file, found: canaries.findIn(readFileSync(file)) }).toEqual({ file, found: [] });
  });

  it("finds no canary in the control plane's log", () => {
    const logs = filesUnder(stack.logs_dir).filter((file) => file.includes('control'));
    expect(logs.length).toBeGreaterThan(0);
    for (const file of logs) expect(canaries.findIn(readFileSync(file))).toEqual([]);
  });

  it('[0/5] finds no canary in any response of the API', () => {
    expect(api.responses.length).toBeGreaterThan(20);
    expect(canaries.findIn(Buffer.from(api.responses.join('\n')))).toEqual([]);
  });

  it("finds no password in the agent's log", () => {
    for (const file of filesUnder(stack.logs_dir)) {
      const found = canaries
        .findIn(readFileSync(file))
        .filter((canary) => canary === password || canary === wrongPassword);
      expect({ file, found }).toEqual({ file, found: [] });
    }
  });
});

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
