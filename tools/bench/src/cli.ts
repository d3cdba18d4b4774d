#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';

import { API_BENCH_SETTINGS, benchApi, describeApiResult } from './api/api-bench.js';
import type { LoadOptions } from './api/load.js';
import { withFolder, withStack } from './bench-environment.js';
import { benchClients, type ClientsBenchOptions, describeClients } from './clients/clients-bench.js';
import {
  benchDashboard,
  type DashboardBenchOptions,
  describeDashboardResult,
} from './dashboard/dashboard-bench.js';
import { benchDetection, describeDetection, detectionJson } from './detection/detection-bench.js';
import { describeResult } from './generate/describe-result.js';
import { benchGenerate, GENERATE_PARTS } from './generate/generate-bench.js';
import { benchMock, describeMockResult } from './mock/mock-bench.js';
import { describeNgram } from './ngram/describe-ngram.js';
import { benchNgram } from './ngram/ngram-bench.js';
import { benchPrivacy } from './privacy/privacy-bench.js';
import { describePrivacy } from './privacy/describe-privacy.js';
import { benchSnapshot, describeSnapshot, type SnapshotBenchOptions } from './snapshot/snapshot-bench.js';
import { benchStore, describeStore, type StoreBenchOptions } from './store/store-bench.js';
import { describeSync } from './sync/describe-sync.js';
import { benchSync, SYNC_PARTS } from './sync/sync-bench.js';

interface Bench<Options, Result> {
  readonly name: string;
  readonly description: string;
  /** Options in addition to `--json`, which every benchmark has. */
  readonly options: readonly Option[];
  /** Printed in the help before the example. */
  readonly note?: string;
  readonly run: (options: Options) => Result | Promise<Result>;
  readonly describe: (result: Result) => string;
  /** Converts the result to the object that `--json` prints. Default: the result itself. */
  readonly toJson?: (result: Result) => unknown;
}

const program = new Command('bench').description(
  'Compares the product with peers, in the same run on the same machine.',
);

addBench({
  name: 'sync',
  description:
    'Sync jobs of one table, 13 columns and four of them masked, beside psql COPY | psql COPY and pgcopydb; many small tables; accepting many columns; memory.',
  options: [
    count('rows', 'number of rows in the table', 1_000_000),
    count('tables', 'number of tables of the accepted job', 5_000),
    count('columns', 'number of columns in each of these tables', 10),
    rounds(3),
    onlyOf(SYNC_PARTS),
  ],
  run: benchSync,
  describe: describeSync,
});

addBench({
  name: 'snapshot',
  description:
    'Takes and restores a snapshot of a database of four tables over REST, compared with pg_dump -Fd -j2 and pg_restore -j2.',
  options: [count('rows', 'number of rows in each table', 250_000), rounds(3)],
  run: (options: SnapshotBenchOptions) =>
    withFolder('dumps', (folder) => withStack((stack) => benchSnapshot(stack, folder, options))),
  describe: describeSnapshot,
});

addBench({
  name: 'generate',
  description:
    'Generates records of six fields, compared with @faker-js/faker. Also measures each generator, two threads, compiling, POST /v1/generate, and rows into PostgreSQL compared with psql \\copy and pgbench -i.',
  options: [rounds(5), count('rows', 'number of rows for PostgreSQL', 2_000_000), onlyOf(GENERATE_PARTS)],
  run: benchGenerate,
  describe: describeResult,
});

addBench({
  name: 'ngram',
  description: 'Trains, loads and samples n-gram models, compared with foswig and markov-strings.',
  options: [rounds(5)],
  run: (options: { rounds: number }) => benchNgram(options.rounds),
  describe: describeNgram,
});

addBench({
  name: 'privacy',
  description:
    'Attacks private models of US first names by min_values: membership, planted canaries, near duplicates.',
  options: [count('rounds', 'number of splits of the names into members and outsiders', 3)],
  run: (options: { rounds: number }) => benchPrivacy(options.rounds),
  describe: describePrivacy,
});

addBench({
  name: 'detection',
  description: 'Measures on labelled columns how well `understudy init` detects personal columns.',
  options: [],
  run: benchDetection,
  describe: describeDetection,
  toJson: detectionJson,
});

addBench({
  name: 'api',
  description:
    'Loads GET /v1/models, compared with a bare Fastify route and one with a query, and POST /v1/generate of one record.',
  options: loadOptions(),
  run: (options: LoadOptions) => withStack((stack) => benchApi(stack, options), API_BENCH_SETTINGS),
  describe: describeApiResult,
});

addBench({
  name: 'mock',
  description:
    'Loads a mock endpoint of 10 records with six fields, compared with prism (dynamic), json-server and a bare Fastify route that builds such records.',
  options: loadOptions(),
  note: 'Installs prism and json-server from the package registry into a temporary folder.',
  run: (options: LoadOptions) =>
    withFolder('peers', (folder) =>
      withStack((stack) => benchMock(stack, folder, options), API_BENCH_SETTINGS),
    ),
  describe: describeMockResult,
});

addBench({
  name: 'store',
  description: 'Writes, verifies and reads a sealed file of a snapshot, compared with cat and sha256sum.',
  options: [count('mebibytes', 'size of the file in MiB', 1024), rounds(3)],
  run: (options: StoreBenchOptions) => withFolder('store', (folder) => benchStore(folder, options)),
  describe: describeStore,
});

addBench({
  name: 'dashboard',
  description:
    'Loads and scrolls pages of the dashboard in Chromium: the sign-in, the list of 50,000 jobs, and a job with 10,000 tables.',
  options: [rounds(5)],
  run: (options: DashboardBenchOptions) => withStack((stack) => benchDashboard(stack, options)),
  describe: describeDashboardResult,
});

addBench({
  name: 'clients',
  description:
    'Streams records in the client of each language, compared with curl, which discards the same body, and with a plain program in the language. Also measures the peak memory of each process.',
  options: [count('records', 'number of records in the body', 1_000_000), rounds(3)],
  note: 'Measures the clients whose language is on this machine. Builds the programs in Go first.',
  run: (options: ClientsBenchOptions) => withFolder('clients', (folder) => benchClients(folder, options)),
  describe: describeClients,
});

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function addBench<Options, Result>(bench: Bench<Options, Result>): void {
  const { name, description, options, note, run, describe, toJson = (result) => result } = bench;
  const command = program.command(name).description(description);
  for (const option of options) command.addOption(option);
  const example = `Example:\n  npm run --silent bench -- ${name} --json\n\nExit codes: 0 measured, 1 a run failed.`;
  command
    .option('--json', 'print one JSON object')
    .addHelpText('after', `\n${note === undefined ? '' : `${note}\n\n`}${example}`)
    .action(async (given: Options & { readonly json?: boolean }) => {
      const result = await run(given);
      console.log(given.json ? JSON.stringify(toJson(result)) : describe(result));
    });
}

function loadOptions(): Option[] {
  return [
    rounds(5),
    count('connections', 'number of concurrent connections', 10),
    count('seconds', 'duration of each run in seconds', 5),
  ];
}

function rounds(byDefault: number): Option {
  return count('rounds', 'number of rounds; each round runs everything in turn', byDefault);
}

function count(name: string, description: string, byDefault: number): Option {
  return new Option(`--${name} <count>`, description).argParser(whole).default(byDefault);
}

function onlyOf(parts: readonly string[]): Option {
  return new Option('--only <part>', 'run only one part').choices(parts);
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('expected a whole number of at least 1');
  return value;
}
