import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { describeUnless } from '@understudy/testing';

import {
  combine,
  type DebianClients,
  installedPostgres,
  type NpmServer,
  unpackClients,
  unpackServer,
  whyNoOtherPostgres,
} from './postgres-programs.js';

/*
 * Runs suites with other versions of PostgreSQL than the installed one. docs/reference/postgres-support.md shows the
 * number of tests of each run, which this suite compares.
 */

jest.setTimeout(1_800_000); // each run copies all features of PostgreSQL several times

const ROOT = join(import.meta.dirname, '../../../..');
const PLAN = join(ROOT, 'tools/repository/src/postgres-support/versions.json');

interface Run {
  readonly source: number;
  readonly target: number;
  readonly clients: number;
  /** For each suite, the numbers of passed and skipped tests. */
  readonly suites: Readonly<Record<string, readonly [number, number]>>;
}

const plan = JSON.parse(readFileSync(PLAN, 'utf8')) as {
  readonly installed: number;
  readonly servers: readonly NpmServer[];
  readonly clients: readonly DebianClients[];
  readonly runs: readonly Run[];
};

describeUnless(whyNoOtherPostgres())('other versions of PostgreSQL', () => {
  let folder: string;
  const servers = new Map<number, string>();
  const clients = new Map<number, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-postgres-'));
    chmodSync(folder, 0o755); // the servers run as the user of PostgreSQL
    for (const known of [servers, clients]) known.set(plan.installed, installedPostgres(plan.installed));
    for (const server of plan.servers)
      servers.set(server.major, await unpackServer(server, join(folder, `server-${server.major}`)));
    for (const some of plan.clients)
      clients.set(some.major, await unpackClients(some, join(folder, `clients-${some.major}`)));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(plan.runs)('$source → $target pass the suites that the page lists', async (run) => {
    const programs = (server: number) =>
      combine(
        servers.get(server) ?? '',
        clients.get(run.clients) ?? '',
        join(folder, `programs-${server}-${run.clients}`),
      );
    const report = join(folder, `report-${run.source}-${run.target}.json`);
    await runJest(Object.keys(run.suites), report, {
      UNDERSTUDY_STACK_PG_BIN_DIR: programs(run.source),
      ...(run.source !== run.target && { UNDERSTUDY_TEST_TARGET_PG_BIN_DIR: programs(run.target) }),
    });
    const { failed, suites } = readReport(report);
    expect(failed).toEqual([]);
    expect(suites).toEqual(run.suites);
  });
});

async function runJest(
  suites: readonly string[],
  report: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const { UNDERSTUDY_TEST_SHARED: _, ...environment } = process.env; // the run gets a folder of its own
  const args = [
    '--maxWorkers=2',
    '--json',
    `--outputFile=${report}`,
    '--silent',
    '--testTimeout=900000',
    ...suites,
  ];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/jest/bin/jest.js'), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 2],
    env: { ...environment, ...settings },
  });
  await once(child, 'close');
}

function readReport(file: string): { readonly failed: readonly string[]; readonly suites: Run['suites'] } {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly message: string;
      readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
    }[];
  };
  const suites = testResults.map(({ name, assertionResults }) => {
    const count = (status: string) => assertionResults.filter((test) => test.status === status).length;
    return [relative(ROOT, name), [count('passed'), count('pending')]] as const;
  });
  const failed = testResults.flatMap(({ name, message, assertionResults }) => {
    const titles = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    return assertionResults.length === 0 ? [`${relative(ROOT, name)}: ${message}`] : titles;
  });
  return { failed, suites: Object.fromEntries(suites) };
}
