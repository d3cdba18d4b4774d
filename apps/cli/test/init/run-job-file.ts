import { BuiltinLibrary } from '@understudy/builtin-models';
import { ModelStore, type SyncFailure, type SyncJobResult, SyncJobRunner } from '@understudy/sync-engine';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJobFile } from '../../src/sync/job-file/parse-job-file.js';

export interface JobOutcome {
  readonly completed?: SyncJobResult;
  readonly failure?: SyncFailure;
}

/** Runs a job file as it stands on the engine. @throws when it has mistakes */
export async function runJobFile(
  file: string,
  environment: Readonly<Record<string, string>>,
  pgBinDir: string,
): Promise<JobOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-init-'));
  try {
    const parsed = await parseJobFile(readFileSync(file, 'utf8'), { folder, environment, nowMs: Date.now() });
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
    const { source, target, request } = parsed.job;
    const keys = { maskingKey: new Uint8Array(32).fill(1), modelKey: new Uint8Array(32).fill(2) };
    const runner = new SyncJobRunner({
      policy: {
        resolveDatabase: (_, role) => (role === 'source' ? source.target : target.target),
        refusesPreserve: () => false,
        reportsNames: true,
        allowWhere: true,
      },
      keys,
      tools: { pgBinDir },
      copy: { connections: 2, chunkBytes: 64_000_000 },
      models: new ModelStore(folder, keys),
      hostedModels: { files: () => Promise.resolve(new Map()) },
      builtin: new BuiltinLibrary(),
      now: () => Date.now(),
      reached: () => undefined,
    });
    let outcome: JobOutcome = {};
    await runner.run(
      {
        ...{ jobId: 'job_1', epoch: 1, seed: 42, referenceInstantMs: Date.UTC(2026, 0, 1), acceptedAtMs: 0 },
        source: { kind: 'url', url: source.url },
        target: { kind: 'url', url: target.url },
        tables: request.tables.map(({ name, columns }) => ({
          name,
          columns: Object.entries(columns ?? {}).map(([column, rule]) => ({ name: column, rule })),
        })),
        unlistedColumns: request.unlistedColumns ?? 'preserve',
        hostedModels: [],
        compositions: [],
      },
      {
        confirmed: Promise.resolve(),
        started: () => Promise.resolve(),
        progress: () => Promise.resolve(),
        modelTrained: () => Promise.resolve(),
        predicted: () => Promise.resolve(),
        completed: (completed) => {
          outcome = { completed };
          return Promise.resolve();
        },
        failed: (failure) => {
          outcome = { failure };
          return Promise.resolve();
        },
      },
      new AbortController().signal,
    );
    await runner.whenForgotten();
    return outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
