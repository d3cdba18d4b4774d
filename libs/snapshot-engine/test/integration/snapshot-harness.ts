import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { SnapshotCounts, SnapshotFailure, SnapshotResult } from '@understudy/agent-protocol';
import { FolderBackend, SnapshotStore } from '@understudy/snapshot-store';
import { parseConnectionUrl, type EngineLog } from '@understudy/postgres';
import {
  createTestDatabase,
  startTestServices,
  targetPostgres,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import type { CreateSnapshotCommand, RestoreSnapshotCommand } from '../../src/job/snapshot-command.js';
import type { SnapshotEnvironment } from '../../src/snapshot-environment.js';
import type { RestoreEvent, SnapshotEvent } from '../../src/job/snapshot-reporter.js';
import type { RestoreResult } from '../../src/restore/restore-snapshot.js';
import { SnapshotRunner } from '../../src/snapshot-runner.js';

/** Everything that an attempt would report to the control plane. */
export interface Outcome<Result> {
  readonly result?: Result;
  readonly failure?: SnapshotFailure;
  readonly phases: readonly string[];
  readonly counts: readonly SnapshotCounts[];
}

// The tests cause every failure on purpose. TEST_LOG=1 prints the agent's log.
const print = (facts: object, message: string): void => {
  if (process.env['TEST_LOG'] === '1') console.error(message, facts);
};
const TEST_LOG: EngineLog = { error: print, warn: print, info: print, debug: () => undefined };

export const KEY = new Uint8Array(32).fill(7);

/**
 * Takes snapshots of real databases and restores them. The store is a real folder. The test provides the
 * policy and the reporter.
 */
export class SnapshotHarness {
  readonly folder = mkdtempSync(join(tmpdir(), 'understudy-snapshots-'));
  private number = 0;

  private constructor(
    readonly services: TestServices,
    private readonly otherServices: TestServices,
  ) {
    mkdirSync(this.storeFolder);
  }

  static async start(): Promise<SnapshotHarness> {
    const services = await startTestServices({ postgres: true });
    const other = targetPostgres();
    return new SnapshotHarness(
      services,
      other === undefined ? services : await startTestServices({ postgres: other }),
    );
  }

  /** Stops the servers, and removes their databases with them. */
  async stop(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    await this.services.stop();
    if (this.otherServices !== this.services) await this.otherServices.stop();
  }

  database(sql?: string): Promise<TestDatabase> {
    return createTestDatabase(this.services.postgresUrl, sql);
  }

  get storeFolder(): string {
    return join(this.folder, 'store');
  }

  /** Lists the files in the store and in the working folder. */
  get left(): { stored: string[]; working: string[] } {
    return { stored: this.filesOf('store'), working: this.filesOf('work') };
  }

  /** Lists the files of a folder. @param name the name of a subfolder of {@link folder} */
  filesOf(name: string): string[] {
    const folder = join(this.folder, name);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  }

  store(key = KEY): SnapshotStore {
    return new SnapshotStore(new FolderBackend(this.storeFolder), { key });
  }

  environment(more: Partial<SnapshotEnvironment> = {}): SnapshotEnvironment {
    return {
      policy: {
        resolveDatabase: (reference) => parseConnectionUrl(reference.kind === 'url' ? reference.url : ''),
        reportsNames: true,
        minSnapshotAgeMs: 0,
        keepReplacedMs: 0,
      },
      store: this.store(),
      keys: [KEY],
      tools: { pgBinDir: this.services.postgresBinFolder },
      connections: 2,
      workFolder: join(this.folder, 'work'),
      recordsFolder: more.workFolder ?? join(this.folder, 'work'),
      graceMs: 5_000,
      freeBytesAt: () => Promise.resolve(undefined),
      now: () => Date.now(),
      log: TEST_LOG,
      reached: () => undefined,
      ...more,
    };
  }

  runner(more: Partial<SnapshotEnvironment> = {}): SnapshotRunner {
    return new SnapshotRunner(this.environment(more));
  }

  creation(url: string, tables: readonly string[] = []): CreateSnapshotCommand {
    return {
      snapshotId: `snap_01ARZ3NDEKTSV4RRFFQ69G${String(++this.number).padStart(4, '0')}`,
      epoch: 1,
      database: { kind: 'url', url },
      tables,
      acceptedAt: new Date('2026-01-01T00:00:00Z'),
      expiresAt: new Date('2026-02-01T00:00:00Z'),
    };
  }

  async create(
    command: CreateSnapshotCommand,
    more: Partial<SnapshotEnvironment> = {},
    signal = new AbortController().signal,
  ): Promise<Outcome<SnapshotResult>> {
    const { outcome, reporter } = recording<SnapshotResult>();
    await this.runner(more).create(command, reporter, signal);
    return outcome;
  }

  /** @returns the command of a restore @param url the URL of the target */
  restoration(
    url: string,
    made: CreateSnapshotCommand,
    { manifestHash }: Pick<SnapshotResult, 'manifestHash'>,
    overwrite = false,
  ): RestoreSnapshotCommand {
    return {
      restoreId: `rst_${randomBytes(13).toString('hex')}`,
      epoch: 1,
      snapshotId: made.snapshotId,
      snapshotEpoch: made.epoch,
      manifestHash,
      target: { kind: 'url', url },
      sealedTarget: url,
      overwrite,
    };
  }

  async restore(
    command: RestoreSnapshotCommand,
    more: Partial<SnapshotEnvironment> = {},
    signal = new AbortController().signal,
  ): Promise<Outcome<RestoreResult>> {
    const { outcome, reporter } = recording<RestoreResult>();
    const runner = this.runner(more);
    await runner.restore(command, reporter, signal);
    return outcome;
  }

  /** Takes a snapshot. Throws if that fails. */
  async snapshotOf(url: string, tables: readonly string[] = []) {
    const command = this.creation(url, tables);
    const { result, failure } = await this.create(command);
    if (result === undefined) throw new Error(`no snapshot: ${failure?.code}`);
    return { command, result };
  }

  /** @returns the URL of a database that does not exist */
  newUrl(name = `new_${randomBytes(6).toString('hex')}`): string {
    return `${this.services.postgresUrl}/${name}`;
  }

  /** The server for targets. Environment variables can select another PostgreSQL version for it. */
  get targetServer(): string {
    return this.otherServices.postgresUrl;
  }

  /**
   * Ends the sessions of a database. Otherwise, the idle connections in the pool of a test database would block
   * a restore.
   */
  async idle(database: TestDatabase): Promise<void> {
    const admin = await this.admin();
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      database.name,
    ]);
  }

  /** Connects to a database of the server. @param name the name of the database */
  async connect(name: string): Promise<Client> {
    const client = new Client(`${this.services.postgresUrl}/${name}`);
    await client.connect();
    return client;
  }

  /** Lists the databases that restores created and did not remove. */
  async restoreDatabases(): Promise<string[]> {
    const admin = await this.admin();
    const { rows } = await admin.query("SELECT datname FROM pg_database WHERE datname LIKE '%understudy%'");
    return rows.map(({ datname }) => String(datname));
  }

  async admin(): Promise<TestDatabase> {
    return (this.administration ??= await this.database());
  }

  private administration: TestDatabase | undefined;
}

function recording<Result>() {
  const outcome: { result?: Result; failure?: SnapshotFailure; phases: string[]; counts: SnapshotCounts[] } =
    {
      phases: [],
      counts: [],
    };
  const reporter = {
    report: (event: SnapshotEvent | RestoreEvent) => {
      if (event.type === 'progress') {
        if (outcome.phases.at(-1) !== event.phase) outcome.phases.push(event.phase);
        outcome.counts.push(event.counts);
      } else if (event.type === 'failed') outcome.failure = event.failure;
      else outcome.result = (event.type === 'ready' ? event.made : event) as Result;
      return Promise.resolve();
    },
  };
  return { outcome, reporter };
}
