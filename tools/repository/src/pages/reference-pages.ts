import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { apiPage } from '../api-page/api-page.js';
import { printed, run } from '../check/programs.js';
import { readDocument } from '../clients/write-clients.js';
import { decisionsPage } from './decisions-page.js';
import { type Page, pageIsFresh } from './page.js';
import { versionsPage } from './versions-page.js';

interface ControlPlanePages {
  readonly api: string;
  readonly errors: string;
  readonly limits: string;
  readonly variables: string;
}

const controlPlanePages = new Map<string, ControlPlanePages>();

/** Runs the control plane once for all its pages, because each start needs three seconds of CPU time. */
function controlPlane(root: string): ControlPlanePages {
  const known = controlPlanePages.get(root);
  if (known) return known;
  const pages = JSON.parse(
    printed(root, 'apps/control-plane/dist/reference/print-page.js'),
  ) as ControlPlanePages;
  controlPlanePages.set(root, pages);
  return pages;
}

/** The OpenAPI document. The clients and some of the reference pages are written from it. */
export const API_DESCRIPTION: Page = {
  path: 'docs/reference/openapi.json',
  text: (root) => printed(root, 'apps/control-plane/dist/cli.js', 'openapi'),
};

export const CLI_PAGE: Page = {
  path: 'docs/reference/cli.md',
  text: (root) => printed(root, 'apps/cli/dist/print-manual.js'),
};

/** The pages that the control plane and the agent print, the page of the versions, and the index of the decisions. */
export const REFERENCE_PAGES: readonly Page[] = [
  { path: 'docs/adr/README.md', text: decisionsPage },
  {
    path: 'docs/reference/agent-commands.md',
    text: (root) => printed(root, 'apps/agent/dist/print-commands.js'),
  },
  {
    path: 'docs/reference/api.md',
    text: (root) => apiPage(controlPlane(root).api, readDocument(root)),
  },
  { path: 'docs/reference/configuration.md', text: configurationPage },
  { path: 'docs/reference/errors.md', text: (root) => controlPlane(root).errors },
  { path: 'docs/reference/limits.md', text: (root) => controlPlane(root).limits },
  { path: 'docs/reference/versions.md', text: versionsPage },
];

/** @throws Error if the committed document differs from the one that the control plane prints */
export async function apiDescriptionIsFresh(root: string): Promise<string> {
  await pageIsFresh(root, API_DESCRIPTION);
  const { paths } = JSON.parse(readFileSync(join(root, API_DESCRIPTION.path), 'utf8')) as { paths: object };
  return `${Object.keys(paths).length} paths`;
}

/**
 * Checks that the committed pages are up to date.
 * @returns the number of pages
 * @throws Error if a page is outdated, or if docs/reference/configuration.md does not describe an environment
 *   variable that the sources use
 */
export async function referencePagesAreFresh(root: string): Promise<string> {
  for (const page of REFERENCE_PAGES) await pageIsFresh(root, page);
  const page = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
  const missing = variablesOfSources(root).filter((name) => !page.includes(`\`${name}\``));
  if (missing.length > 0)
    throw new Error(`docs/reference/configuration.md must describe ${missing.join(', ')}`);
  return `${REFERENCE_PAGES.length} pages`;
}

function configurationPage(root: string): string {
  return `# Configuration

<!-- Written by \`npm run generate\`. Do not edit. -->

Every program reads its settings from environment variables, reports all invalid settings together, and never prints a value.

## Control plane

${controlPlane(root).variables}

This table is for the server. The administrative commands of \`understudy-control-plane\` need only
\`UNDERSTUDY_DATABASE_URL\`.

## Agent

${printed(root, 'apps/agent/dist/print-variables.js')}

The policy file decides which databases jobs may use ([run an agent](../guides/run-an-agent.md)).

## Command line

| variable | default | meaning |
| --- | --- | --- |
| \`UNDERSTUDY_API_URL\` | required by \`upload\` | the API with \`/v1\` |
| \`UNDERSTUDY_API_TOKEN\` | required by \`upload\` | an API token |

If the URL of \`generate --into\` lacks a part, the command takes it from \`PGHOST\`, \`PGPORT\`, \`PGUSER\`, \`PGPASSWORD\`, \`PGDATABASE\`,
\`PGSSLMODE\` or \`~/.pgpass\`. In the URLs of other commands, \`\${NAME}\` stands for the value of the environment variable \`NAME\`.

## Docker Compose

| variable | meaning |
| --- | --- |
| \`UNDERSTUDY_POSTGRES_PASSWORD\` | password of the superuser of the control plane's PostgreSQL |
| \`UNDERSTUDY_CONTROL_DATABASE_PASSWORD\` | password of the control plane's role in that PostgreSQL |
| \`UNDERSTUDY_DATABASES_PASSWORD\` | password of the role of source and target databases, which is not a superuser |
| \`UNDERSTUDY_REDIS_PASSWORD\` | password of Redis |

## Tools in a clone of the repository

| variable | meaning |
| --- | --- |
| \`UNDERSTUDY_STACK_PG_BIN_DIR\` | folder of the PostgreSQL programs that \`npm run stack\` and the tests start |
| \`UNDERSTUDY_STACK_IGNORE_SYSTEM\` | \`1\`: download PostgreSQL, Redis and NATS although they are installed |
| \`UNDERSTUDY_TEST_TARGET_PG_BIN_DIR\` | folder of the PostgreSQL programs of another version, for the target databases of tests |
| \`UNDERSTUDY_TEST_SHARED\` | folder with the sample databases Chinook and Northwind |
| \`UNDERSTUDY_REQUIRE_TOOLCHAINS\` | \`1\`: a test fails, instead of being skipped, if its program, such as Chromium or PHP, is missing |
| \`UNDERSTUDY_SUITES_REPORT\` | file to which the suites of a release write their results; \`npm run release -- --verify\` sets it |
| \`UNDERSTUDY_FAULT_SEED\` | seed that repeats a run of \`npm run faults\` |
`;
}

/**
 * Returns the environment variables that programs and compose files use. Excludes variables that only tests
 * use.
 */
function variablesOfSources(root: string): string[] {
  const files = [
    'apps/*/src/*.ts',
    'apps/*/bin/*',
    'libs/*/src/*.ts',
    'tools/*.ts',
    'tools/*.mjs',
    '*.yml',
    'deploy',
  ];
  const without = [':!*.spec.ts', ':!*/test/*'];
  const args = ['grep', '-hoE', 'UNDERSTUDY_[A-Z][A-Z_]*[A-Z]\\b', '--', ...files, ...without];
  const found = run('git', args, { cwd: root }).split('\n');
  return [...new Set(found)].filter((name) => name !== '').sort();
}
