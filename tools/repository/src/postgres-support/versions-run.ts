import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { code, table } from '../generators-page/markdown.js';

export const VERSIONS_FILE = 'tools/repository/src/postgres-support/versions.json';

/** The suites whose results have a column in the table. */
const COLUMNS: readonly (readonly [head: string, suite: string])[] = [
  ['this page', 'libs/sync-engine/test/integration/postgres-support.spec.ts'],
  ['databases', 'libs/sync-engine/test/integration/database/replace-database.spec.ts'],
  ['privileges', 'libs/sync-engine/test/integration/database/replace-privileges.spec.ts'],
  ['snapshots', 'libs/snapshot-engine/test/integration/server-versions.spec.ts'],
  ['migrations', 'apps/control-plane/test/integration/persistence/migrate.spec.ts'],
];

interface Versions {
  /** The major version that is tested with every change. */
  readonly installed: number;
  readonly servers: readonly { readonly major: number; readonly version: string }[];
  readonly runs: readonly {
    readonly source: number;
    readonly target: number;
    readonly clients: number;
    /** For each suite of the run, the numbers of passed and skipped tests. */
    readonly suites: Readonly<Record<string, readonly [number, number]>>;
  }[];
}

/** Describes the runs with other versions of PostgreSQL. The suite of the release compares the same numbers. */
export function versionsRun(root: string): readonly string[] {
  const { installed, servers, runs } = JSON.parse(
    readFileSync(join(root, VERSIONS_FILE), 'utf8'),
  ) as Versions;
  const nameOf = (major: number): string =>
    servers.find((server) => server.major === major)?.version.replace(/\.0-.*/, '') ?? String(major);
  const rows = runs.map(({ source, target, clients, suites }) => [
    source === target ? nameOf(source) : `${nameOf(source)} → ${nameOf(target)}`,
    String(clients),
    ...COLUMNS.map(([, suite]) => resultOf(suites[suite])),
  ]);
  const all = [`${installed} of Debian 12`, String(installed), ...COLUMNS.map(() => 'all')];
  return [
    `PostgreSQL 14 to 18 is supported. All tests run with version ${installed} with every change. Before a release, ${code('npm run release -- --verify')} runs ` +
      `five suites with other versions, and fails if its numbers differ from this table. Each cell has the number of passed tests, and in brackets the number of skipped ` +
      'tests. A test is skipped if a server lacks the feature, or if the test needs two other versions.',
    table(['source → target', 'pg_dump', ...COLUMNS.map(([head]) => head)], [all, ...rows]),
    `"This page" is the suite of the rows below. "Databases" and "privileges" are jobs that replace a whole database. "Snapshots" restores a database with all features of the rows below on the target's server. "Migrations" is the control plane's own database. ` +
      'It has only one server, so it is not run for pairs of versions. The suite of privileges creates roles on one server, so it is not run for them, too. All other suites and pairs of versions are not run.',
    'The suites compare rows and definitions. Between two versions, they ignore what PostgreSQL writes differently for the same definition. Servers from 17 write `kn` for the `kn-true` of an ICU ' +
      'collation. Servers from 18 give names to NOT NULL constraints.',
    `The agent reads definitions with a pg_dump of the source's major version or a newer one. If the target server lacks a feature of a table that the job creates, the job fails with ${code('create_failed')}. ` +
      '"Servers from 15" after a feature means that PostgreSQL has the feature since version 15.',
  ];
}

function resultOf(result: readonly [number, number] | undefined): string {
  if (result === undefined) return 'not run';
  const [passed, skipped] = result;
  return skipped === 0 ? String(passed) : `${passed} (${skipped})`;
}
