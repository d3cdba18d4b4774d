import type { SyncEnvironment } from '../../src/environment.js';
import type { JobReporter } from '../../src/progress/progress-meter.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinLibrary } from '@understudy/builtin-models/node';
import {
  createTestDatabase,
  startTestServices,
  targetPostgres,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { parseConnectionUrl, type EngineLog } from '@understudy/postgres';
import type {
  JobEvent,
  Prediction,
  ProgressReport,
  SyncJobResult,
  TableProgress,
  TrainedModel,
  DatabaseReference,
  SyncJobCommand,
  SyncFailure,
} from '@understudy/sync-job';
import { SyncJobRunner } from '../../src/run/run-sync-job.js';
import { ModelStore } from '../../src/models/model-store.js';
import { PERMISSIVE_RULES, type SyncPolicy, type SyncRules } from '../../src/policy.js';

/** The reports of a job that an agent would send to the control plane. */
export interface Outcome {
  readonly progress: readonly (readonly TableProgress[])[];
  readonly reports: readonly ProgressReport[];
  readonly trained: readonly TrainedModel[];
  readonly completed?: SyncJobResult & { readonly durationMs: number };
  readonly failure?: SyncFailure;
  readonly predicted?: Prediction;
}

// Tests cause failures on purpose, so nothing is logged by default. TEST_LOG=1 prints the log.
const print = (facts: object, message: string): void => {
  if (process.env['TEST_LOG'] === '1') console.error(message, facts);
};
export const TEST_LOG: EngineLog = { error: print, warn: print, info: print, debug: () => undefined };

export type Rules = Readonly<Record<string, unknown>>;

/** Runs sync jobs on real servers, with a policy and a reporter for tests. */
export class SyncHarness {
  readonly stateDir = mkdtempSync(join(tmpdir(), 'understudy-agent-'));
  private readonly databases: TestDatabase[] = [];

  private constructor(
    readonly services: TestServices,
    private readonly targetServices: TestServices,
  ) {}

  static async start(postgresSettings: Readonly<Record<string, string>> = {}): Promise<SyncHarness> {
    const services = await startTestServices({ postgres: true, postgresSettings });
    const other = targetPostgres();
    return new SyncHarness(
      services,
      other === undefined ? services : await startTestServices({ postgres: other, postgresSettings }),
    );
  }

  /** Stops the servers, and removes their databases with them. */
  async stop(): Promise<void> {
    rmSync(this.stateDir, { recursive: true, force: true });
    await this.services.stop();
    if (this.hasTwoServers) await this.targetServices.stop();
  }

  /** Whether the targets are on another server than the sources. */
  get hasTwoServers(): boolean {
    return this.targetServices !== this.services;
  }

  database(sql?: string): Promise<TestDatabase> {
    return this.databaseOn(this.services, sql);
  }

  /**
   * Creates a database on the target server. Environment variables can select another PostgreSQL version for
   * this server.
   */
  targetDatabase(sql?: string): Promise<TestDatabase> {
    return this.databaseOn(this.targetServices, sql);
  }

  private async databaseOn(services: TestServices, sql?: string): Promise<TestDatabase> {
    const database = await createTestDatabase(services.postgresUrl, sql);
    this.databases.push(database);
    return database;
  }

  /** Kills the target server with SIGKILL, and starts it again. */
  crashTarget(): Promise<void> {
    return this.targetServices.crashPostgres();
  }

  async dropAll(): Promise<void> {
    await Promise.all(this.databases.splice(0).map((database) => database.drop()));
  }

  /**
   * Creates a command.
   * @param tables rules by table name and column name
   */
  command(
    source: string,
    target: string,
    tables: Readonly<Record<string, Rules>>,
    more: Partial<SyncJobCommand> = {},
  ): SyncJobCommand {
    const reference = (url: string): DatabaseReference => ({ kind: 'url', url });
    return {
      jobId: 'job_1',
      epoch: 1,
      seed: 42,
      referenceInstantMs: Date.UTC(2026, 0, 1),
      source: reference(source),
      target: reference(target),
      tables: Object.entries(tables).map(([name, columns]) => ({
        name,
        columns: Object.entries(columns).map(([column, rule]) => ({ name: column, rule })),
      })),
      unlistedColumns: 'preserve',
      acceptedAtMs: Date.UTC(2026, 0, 1),
      hostedModels: [],
      compositions: [],
      ...more,
    };
  }

  /** Returns a policy that permits everything apart from the given rules. */
  policy(rules: Partial<SyncRules> = {}): SyncPolicy {
    return {
      rules: { ...PERMISSIVE_RULES, ...rules },
      resolveDatabase: (reference) => parseConnectionUrl(reference.kind === 'url' ? reference.url : ''),
      refusesPreserve: () => false,
      protectsColumns: false,
      trainingFloor: () => 1,
    };
  }

  environment({ copy, ...more }: Partial<SyncEnvironment> = {}): SyncEnvironment {
    const keys = { maskingKey: new Uint8Array(32).fill(1), modelKey: new Uint8Array(32).fill(2) };
    return {
      policy: this.policy(),
      keys,
      tools: { pgBinDir: this.services.postgresBinFolder },
      // No lease is renewed in these tests. Tables are swapped whenever possible, even if they are small. A busy
      // machine must not keep definitions from being tried.
      copy: {
        ...{ connections: 2, chunkBytes: 64_000_000, snapshotHeldMs: 600_000, swapFromBytes: 0 },
        rehearsalMs: 60_000,
        ...copy,
      },
      models: new ModelStore(this.stateDir, keys),
      hostedModels: { files: () => Promise.resolve(new Map()) },
      builtin: builtinLibrary(),
      now: () => Math.round(performance.now()),
      log: TEST_LOG,
      reached: () => undefined,
      ...more,
    };
  }

  async run(
    command: SyncJobCommand,
    more: Partial<SyncEnvironment> = {},
    signal: AbortSignal = new AbortController().signal,
    onProgress: (report: ProgressReport) => void = () => undefined,
    confirmed: Promise<void> = Promise.resolve(),
  ): Promise<Outcome> {
    const reports: ProgressReport[] = [];
    const trained: TrainedModel[] = [];
    let end: Pick<Outcome, 'completed' | 'failure' | 'predicted'> = {};
    const record = (event: JobEvent): void => {
      switch (event.type) {
        case 'progress':
          reports.push(event);
          return onProgress(event);
        case 'model_trained':
          return void trained.push(event);
        case 'completed':
          return void (end = { ...end, completed: event });
        case 'predicted':
          return void (end = { ...end, predicted: event.prediction });
        case 'failed':
          return void (end = { ...end, failure: event.failure });
      }
    };
    const report = (event: JobEvent): Promise<void> => Promise.resolve(record(event));
    const reporter: JobReporter = { confirmed, report };
    const runner = new SyncJobRunner(this.environment(more));
    await runner.run(command, reporter, signal);
    await runner.whenForgotten();
    return { progress: reports.map(({ tables }) => tables), reports, trained, ...end };
  }

  /** Cleans up the target of a failed job, like the agent task for a target cleanup. */
  clear(targetUrl: string, attempt: { jobId: string; epoch: number }, sourceUrl?: string): Promise<void> {
    const source = sourceUrl === undefined ? undefined : ({ kind: 'url', url: sourceUrl } as const);
    return new SyncJobRunner(this.environment()).cleanUp({ kind: 'url', url: targetUrl }, attempt, source);
  }
}

/** Returns the rows of a table, sorted. Each row is a text that contains all columns. */
export async function rowsOf(database: TestDatabase, table: string): Promise<string[]> {
  const { rows } = await database.query(`SELECT t::text AS row FROM ${table} AS t ORDER BY 1`);
  return rows.map(({ row }) => String(row));
}
