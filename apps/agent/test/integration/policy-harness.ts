import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinLibrary } from '@understudy/builtin-models/node';
import { ModelStore, SyncJobRunner } from '@understudy/sync-engine';
import { type SyncFailure, type SyncJobCommand } from '@understudy/sync-job';
import {
  asSource,
  asTarget,
  createTestDatabase,
  startTestServices,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { parsePolicy } from '../../src/policy/policy-document.js';
import { Policy } from '../../src/policy/policy.js';

type JobTable = Pick<SyncJobCommand['tables'][number], 'name'> & Partial<SyncJobCommand['tables'][number]>;

/** Runs sync jobs from one source database under different policy files. */
export class PolicyHarness {
  private readonly stateDir = mkdtempSync(join(tmpdir(), 'understudy-policy-'));

  private constructor(
    private readonly services: TestServices,
    readonly source: TestDatabase,
    readonly target: TestDatabase,
    private readonly urls: { readonly source: string; readonly target: string },
  ) {}

  /**
   * Creates both databases.
   * @param schema SQL that creates the tables of both databases
   * @param rows SQL that fills the tables of the source
   */
  static async start(schema: string, rows = ''): Promise<PolicyHarness> {
    const services = await startTestServices({ postgres: true });
    const source = await createTestDatabase(services.postgresUrl, schema + rows);
    const target = await createTestDatabase(services.postgresUrl, schema);
    const urls = { source: await asSource(source), target: await asTarget(target) };
    return new PolicyHarness(services, source, target, urls);
  }

  async stop(): Promise<void> {
    await Promise.all([this.source.drop(), this.target.drop()]);
    rmSync(this.stateDir, { recursive: true, force: true });
    await this.services.stop();
  }

  /**
   * Runs a job to its end.
   * @param keys the keys of the policy file, without `databases`
   * @returns the failure of the job, or undefined if it completed
   */
  async run(
    keys: string,
    tables: readonly JobTable[],
    more: Partial<SyncJobCommand> = {},
  ): Promise<SyncFailure | undefined> {
    const databases = `databases: { s: { url: "${this.urls.source}", roles: [source] }, t: { url: "${this.urls.target}", roles: [target] } }`;
    const engineKeys = { maskingKey: new Uint8Array(32).fill(1), modelKey: new Uint8Array(32).fill(2) };
    const silent = () => undefined;
    const runner = new SyncJobRunner({
      policy: new Policy(parsePolicy(`${databases}\n${keys}`, () => undefined)),
      keys: engineKeys,
      tools: { pgBinDir: this.services.postgresBinFolder },
      copy: { connections: 1, chunkBytes: 64_000_000, snapshotHeldMs: 600_000 },
      models: new ModelStore(this.stateDir, engineKeys),
      hostedModels: { files: () => Promise.resolve(new Map()) },
      builtin: builtinLibrary(),
      now: () => Date.now(),
      log: { error: silent, warn: silent, info: silent, debug: silent },
      reached: silent,
    });
    const command: SyncJobCommand = {
      jobId: 'job_1',
      epoch: 1,
      seed: 42,
      referenceInstantMs: Date.UTC(2026, 0, 1),
      source: { kind: 'agent', name: 's' },
      target: { kind: 'agent', name: 't' },
      tables: tables.map((table) => ({ columns: [], ...table })),
      unlistedColumns: 'preserve',
      acceptedAtMs: Date.UTC(2026, 0, 1),
      hostedModels: [],
      compositions: [],
      ...more,
    };
    let end: SyncFailure | undefined;
    await runner.run(
      command,
      {
        confirmed: Promise.resolve(),
        report: (event) => {
          if (event.type === 'failed') end = event.failure;
          return Promise.resolve();
        },
      },
      new AbortController().signal,
    );
    await runner.whenForgotten();
    return end;
  }
}
