#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stackDown, type StackInfo, stackUp } from '@understudy/stack';
import { Command, InvalidArgumentError, Option } from 'commander';

import { API_BENCH_SETTINGS, benchApi, describeApiResult } from './api/api-bench.js';
import { benchDetection, describeDetection, detectionJson } from './detection/detection-bench.js';
import { describeResult } from './generate/describe-result.js';
import { benchGenerate, GENERATE_PARTS, type GeneratePart } from './generate/generate-bench.js';
import { benchMock, describeMockResult } from './mock/mock-bench.js';
import { describeNgram } from './ngram/describe-ngram.js';
import { benchNgram } from './ngram/ngram-bench.js';
import { benchPrivacy } from './privacy/privacy-bench.js';
import { describePrivacy } from './privacy/describe-privacy.js';
import { describeSnapshot } from './snapshot/describe-snapshot.js';
import { benchSnapshot } from './snapshot/snapshot-bench.js';
import { benchStore, describeStore } from './store/store-bench.js';
import { describeSync } from './sync/describe-sync.js';
import { benchSync, SYNC_PARTS, type SyncPart } from './sync/sync-bench.js';

const program = new Command('bench').description(
  'Measures the product beside a peer, in the same run on the same machine.',
);

program
  .command('sync')
  .description(
    'Sync jobs of one table, 13 columns and four of them masked, beside psql COPY | psql COPY and pgcopydb; many small tables; memory.',
  )
  .option('--rows <count>', 'rows in the table', whole, 1_000_000)
  .option('--rounds <count>', 'runs of each, in turn', whole, 3)
  .addOption(new Option('--only <part>', 'one part').choices(SYNC_PARTS))
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- sync --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(async ({ rows, rounds, only, json }: SyncCommandOptions) => {
    const parts = only === undefined ? SYNC_PARTS : [only];
    const result = await benchSync({ parts, rows, rounds, psql: 'psql', withStack, say });
    console.log(json ? JSON.stringify(result) : describeSync(result));
  });

interface SyncCommandOptions {
  readonly rows: number;
  readonly rounds: number;
  readonly only?: SyncPart;
  readonly json?: boolean;
}

program
  .command('snapshot')
  .description(
    'A database of four tables made into a snapshot and restored, over REST, beside pg_dump -Fd -j2 and pg_restore -j2.',
  )
  .option('--rows <count>', 'rows in each table', whole, 250_000)
  .option('--rounds <count>', 'runs of each, in turn', whole, 3)
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- snapshot --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(async ({ rows, rounds, json }: { rows: number; rounds: number; json?: boolean }) => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-dumps-'));
    try {
      const result = await withStack((stack) => benchSnapshot(stack, { rows, rounds, folder, say }));
      console.log(json ? JSON.stringify(result) : describeSnapshot(result));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

program
  .command('generate')
  .description(
    'Records of six fields beside @faker-js/faker, then each generator, two threads, compiling, POST /v1/generate, and rows into PostgreSQL beside psql \\copy and pgbench -i.',
  )
  .option('--rounds <count>', 'runs of each, in turn', whole, 5)
  .option('--rows <count>', 'rows into PostgreSQL', whole, 2_000_000)
  .addOption(new Option('--only <part>', 'one part').choices(GENERATE_PARTS))
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- generate --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(async ({ rounds, rows, only, json }: GenerateCommandOptions) => {
    const parts = only === undefined ? GENERATE_PARTS : [only];
    const result = await benchGenerate({ parts, rounds, rows, withStack, say });
    console.log(json ? JSON.stringify(result) : describeResult(result));
  });

interface GenerateCommandOptions {
  readonly rounds: number;
  readonly rows: number;
  readonly only?: GeneratePart;
  readonly json?: boolean;
}

program
  .command('ngram')
  .description('Training, loading and sampling n-gram models beside foswig and markov-strings.')
  .option('--rounds <count>', 'runs of each, in turn', whole, 5)
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- ngram --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(({ rounds, json }: { rounds: number; json?: boolean }) => {
    const result = benchNgram(rounds, say);
    console.log(json ? JSON.stringify(result) : describeNgram(result));
  });

program
  .command('privacy')
  .description(
    'Attacks on private models of US first names: membership, planted canaries, near duplicates, by min_values.',
  )
  .option('--rounds <count>', 'splits of the names into members and outsiders', whole, 3)
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- privacy --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(({ rounds, json }: { rounds: number; json?: boolean }) => {
    const result = benchPrivacy(rounds, say);
    console.log(json ? JSON.stringify(result) : describePrivacy(result));
  });

program
  .command('detection')
  .description('How well `understudy init` recognises personal columns, on labelled columns.')
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- detection --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(({ json }: { json?: boolean }) => {
    const result = benchDetection();
    console.log(json ? JSON.stringify(detectionJson(result)) : describeDetection(result));
  });

program
  .command('api')
  .description(
    'GET /v1/models beside a bare Fastify route and one with a query, and POST /v1/generate of one record.',
  )
  .option('--rounds <count>', 'runs of each, in turn', whole, 5)
  .option('--connections <count>', 'that ask at the same time', whole, 10)
  .option('--seconds <count>', 'of each run', whole, 5)
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- api --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(async ({ json, ...options }: ApiCommandOptions) => {
    const result = await withStack((stack) => benchApi(stack, { ...options, say }), API_BENCH_SETTINGS);
    console.log(json ? JSON.stringify(result) : describeApiResult(result));
  });

program
  .command('mock')
  .description(
    'A mock endpoint of 10 records with six fields beside prism (dynamic), json-server and a bare Fastify route that builds them.',
  )
  .option('--rounds <count>', 'runs of each, in turn', whole, 5)
  .option('--connections <count>', 'that ask at the same time', whole, 10)
  .option('--seconds <count>', 'of each run', whole, 5)
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nInstalls prism and json-server from the package registry into a temporary folder.\n\nExample:\n  npm run --silent bench -- mock --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(async ({ json, ...options }: ApiCommandOptions) => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-peers-'));
    try {
      const measure = (stack: StackInfo) => benchMock(stack, { ...options, folder, say });
      const result = await withStack(measure, API_BENCH_SETTINGS);
      console.log(json ? JSON.stringify(result) : describeMockResult(result));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

program
  .command('store')
  .description('Writing, verifying and reading a sealed file of a snapshot beside cat and sha256sum.')
  .option('--mebibytes <count>', 'in the file', whole, 1024)
  .option('--rounds <count>', 'runs of each, in turn', whole, 3)
  .option('--json', 'print one JSON object')
  .addHelpText(
    'after',
    '\nExample:\n  npm run --silent bench -- store --json\n\nExit codes: 0 measured, 1 a run failed.',
  )
  .action(async ({ json, ...options }: { mebibytes: number; rounds: number; json?: boolean }) => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-store-'));
    try {
      const result = await benchStore({ ...options, folder, say });
      console.log(json ? JSON.stringify(result) : describeStore(result));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

interface ApiCommandOptions {
  readonly rounds: number;
  readonly connections: number;
  readonly seconds: number;
  readonly json?: boolean;
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** A stack of its own for the time of `work`. */
async function withStack<T>(
  work: (stack: StackInfo) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'understudy-bench-'));
  try {
    return await work(await stackUp({ dataDir, settings }));
  } finally {
    await stackDown({ dataDir });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('expected a whole number of at least 1');
  return value;
}
