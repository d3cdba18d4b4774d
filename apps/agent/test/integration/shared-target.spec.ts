import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinLibrary } from '@understudy/builtin-models/node';
import type { SnapshotResult } from '@understudy/agent-protocol';
import type { EngineLog } from '@understudy/postgres';
import { type SnapshotEnvironment, SnapshotRunner } from '@understudy/snapshot-engine';
import { FolderBackend, SnapshotStore } from '@understudy/snapshot-store';
import { ModelStore, type SyncEnvironment, SyncJobRunner } from '@understudy/sync-engine';
import { type SyncJobCommand, SyncJobError } from '@understudy/sync-job';
import {
  asLeastPrivileged,
  asSource,
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { parsePolicy } from '../../src/policy/policy-document.js';
import { Policy } from '../../src/policy/policy.js';

const silent = () => undefined;
const SILENT: EngineLog = { error: silent, warn: silent, info: silent, debug: silent };
const NEVER = new AbortController().signal;
const KEY = new Uint8Array(32).fill(1);

/**
 * The work of both engines on one target, under one policy. The suite has a server of its own, because it grants
 * CONNECT on the database `postgres`.
 */
describe('a sync job and a restore on one target', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-shared-target-'));
  let services: TestServices;
  let admin: TestDatabase;
  let target: TestDatabase;
  let policy: Policy;
  let snapshot: SnapshotResult;
  beforeAll(async () => {
    services = await startTestServices({ postgres: true });
    admin = await createTestDatabase(services.postgresUrl);
    mkdirSync(join(folder, 'store'));
  });
  afterAll(async () => {
    await services.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const source = await createTestDatabase(
      services.postgresUrl,
      'CREATE TABLE copied AS SELECT generate_series(1, 100) AS id',
    );
    const owner = `owner_of_${source.name}`;
    const owned = async () => {
      const database = await createTestDatabase(
        services.postgresUrl,
        `CREATE TABLE kept (id int); DO 'BEGIN CREATE ROLE ${owner}; EXCEPTION WHEN duplicate_object THEN END'; ALTER TABLE kept OWNER TO ${owner}`,
      );
      await admin.query(`ALTER DATABASE ${database.name} OWNER TO ${owner}`);
      return database;
    };
    const archived = await owned();
    target = await owned();
    const urls = {
      source: await asSource(source),
      archived: await asLeastPrivileged(archived.url, { roles: ['snapshot'] }),
      target: await asLeastPrivileged(target.url, { roles: ['target', 'restore'], objectOwners: [owner] }),
    };
    policy = new Policy(
      parsePolicy(
        `databases:
          source: { url: "${urls.source}", roles: [source] }
          archived: { url: "${urls.archived}", roles: [snapshot] }
          target: { url: "${urls.target}", roles: [target, restore] }`,
        silent,
      ),
    );
    snapshot = await takeSnapshot();
    await leave();
  });

  /** Ends the idle sessions of the test itself in the target. */
  const leave = () =>
    admin.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1 AND application_name = ''",
      [target.name],
    );
  const snapshots = (more: Partial<SnapshotEnvironment>) =>
    new SnapshotRunner({
      ...{ policy, keys: [KEY], tools: { pgBinDir: services.postgresBinFolder }, connections: 1 },
      store: new SnapshotStore(new FolderBackend(join(folder, 'store')), { key: KEY }),
      ...{ workFolder: join(folder, 'work'), recordsFolder: join(folder, 'work') },
      ...{ graceMs: 10_000, freeBytesAt: () => Promise.resolve(undefined), now: () => Date.now() },
      ...{ log: SILENT, reached: silent },
      ...more,
    });
  const ids = () => ({ snapshotId: `snap_${target.name}`, restoreId: `rst_${target.name}` });

  const takeSnapshot = (): Promise<SnapshotResult> =>
    new Promise((resolve, reject) => {
      const command = {
        ...{ snapshotId: ids().snapshotId, epoch: 1, database: { kind: 'agent', name: 'archived' } as const },
        ...{ tables: [], acceptedAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) },
      };
      const report = async (event: { type: string; made?: SnapshotResult }) => {
        if (event.made !== undefined) resolve(event.made);
        if (event.type === 'failed') reject(new Error(JSON.stringify(event)));
      };
      void snapshots({}).create(command, { report }, NEVER);
    });

  /** @returns the last event */
  const restore = async (more: Partial<SnapshotEnvironment> = {}): Promise<unknown> => {
    let last: unknown;
    const report = async (event: { type: string; failure?: unknown }) => {
      last = event.failure ?? event.type;
    };
    const command = {
      ...{ ...ids(), epoch: 1, snapshotEpoch: 1, manifestHash: snapshot.manifestHash, overwrite: true },
      ...{ target: { kind: 'agent', name: 'target' } as const, sealedTarget: '' },
    };
    const runner = snapshots(more);
    await runner.restore(command, { report }, NEVER);
    return last;
  };

  /** @returns the last event */
  const copy = async (more: Partial<SyncEnvironment> = {}, epoch = 1): Promise<unknown> => {
    const keys = { maskingKey: KEY, modelKey: KEY };
    const runner = new SyncJobRunner({
      ...{ policy, keys, tools: { pgBinDir: services.postgresBinFolder }, builtin: builtinLibrary() },
      copy: { connections: 1, chunkBytes: 64_000_000, snapshotHeldMs: 600_000 },
      models: new ModelStore(folder, keys),
      hostedModels: { files: () => Promise.resolve(new Map()) },
      ...{ now: () => Date.now(), log: SILENT, reached: silent },
      ...more,
    });
    const command: SyncJobCommand = {
      ...{ jobId: 'job_1', epoch, seed: 42, referenceInstantMs: 0, acceptedAtMs: 0 },
      ...{ source: { kind: 'agent', name: 'source' }, target: { kind: 'agent', name: 'target' } },
      ...{ tables: [{ name: 'copied', columns: [] }], unlistedColumns: 'preserve' },
      ...{ hostedModels: [], compositions: [] },
    };
    let last: unknown;
    const report = async (event: { type: string; failure?: unknown }) => {
      last = event.failure ?? event.type;
    };
    await runner.run(command, { report, confirmed: Promise.resolve() }, NEVER);
    await runner.whenForgotten();
    return last;
  };

  /** Starts work, and waits until it logs for whom it waits. */
  const startWaiting = async (start: (log: EngineLog) => Promise<unknown>, holder: string) => {
    let running: Promise<unknown> = Promise.resolve();
    const facts = await new Promise<object>((resolve) => {
      running = start({ ...SILENT, warn: resolve });
    });
    expect(facts).toMatchObject({ holders: [{ name: holder }] });
    return { running };
  };
  const tables = async () => {
    const { rows } = await target.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    return rows.map(({ tablename }) => tablename);
  };

  it('run one after the other if the job is first, and the restore replaces what it wrote', async () => {
    let restoring: { running: Promise<unknown> } | undefined;
    const reached = async (step: string) => {
      if (step === 'indexes_built')
        restoring = await startWaiting((log) => restore({ log }), 'understudy job_1 1');
    };
    expect(await copy({ reached })).toBe('completed');
    expect(await restoring?.running).toBe('completed');
    expect(await tables()).toEqual(['kept']);
  });

  it('leave the result of the restore if the job is repeated because its end was not reported', async () => {
    const lost = new SyncJobError({ code: 'connection_lost', side: 'target' });
    const reached = (step: string) => (step === 'committed' ? Promise.reject(lost) : Promise.resolve());
    expect(await copy({ reached })).toMatchObject({ code: 'connection_lost' });
    expect(await tables()).toEqual(['copied', 'kept']);
    await leave();
    expect(await restore()).toBe('completed');
    expect(await copy({}, 2)).toBe('completed');
    expect(await tables()).toEqual(['kept']);
  });

  it('run one after the other if the restore is first, and the job writes to what it restored', async () => {
    let copying: { running: Promise<unknown> } | undefined;
    const reached = async (step: string) => {
      if (step === 'loaded')
        copying = await startWaiting((log) => copy({ log }), `understudy ${ids().restoreId} 1`);
    };
    expect(await restore({ reached })).toBe('completed');
    expect(await copying?.running).toBe('completed');
    expect(await tables()).toEqual(['copied', 'kept']);
  });
});
