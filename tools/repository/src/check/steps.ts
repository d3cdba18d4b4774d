import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { architectureHolds } from '../pages/architecture-page.js';
import { conformanceHolds } from '../conformance/conformance-page.js';
import { apiContractHolds } from '../api-contract/api-contract-holds.js';
import { clientsAreFresh } from '../clients/write-clients.js';
import { dashboardSizeHolds } from '../dashboard-size/dashboard-size.js';
import { engineVersionHolds } from '../engine-version/engine-version-holds.js';
import { filesUnder } from '../engine-version/recorded-values.js';
import { GENERATORS_PAGE } from '../generators-page/generators-page.js';
import { pageIsFresh } from '../pages/page.js';
import { apiDescriptionIsFresh, CLI_PAGE, referencePagesAreFresh } from '../pages/reference-pages.js';
import { proseHolds } from '../prose/check-prose.js';
import { checkImports } from '../import-rule/check-imports.js';
import { supportPageHolds } from '../postgres-support/support-page.js';
import { lintSchema, loadSchema } from '../schema-lint/lint-schema.js';
import { writeEventSchema } from '../schema-lint/write-event-schema.js';
import { DIRECTIONS, REVIEWED_FIELDS } from '../schema-lint/reviewed-fields.js';
import { importGraphsHold } from '../source-layout/import-graph.js';
import { sourceFilesHold } from '../source-layout/source-files.js';
import { testInputsHold } from '../test-inputs/test-inputs.js';
import { printed, tool } from './programs.js';

/** One step of `npm run check`. */
export interface CheckStep {
  readonly name: string;
  /** The command or instruction that helps if the step fails. */
  readonly fix: string;
  /**
   * @returns a short summary, or an empty text
   * @throws Error with the problems
   */
  run(root: string): Promise<string>;
}

export const STEPS: readonly CheckStep[] = [
  {
    name: 'format',
    fix: 'npm run format',
    run: async (root) => tool(root, 'oxfmt', ['--check']),
  },
  {
    name: 'lint',
    fix: 'npm run lint',
    run: async (root) => tool(root, 'oxlint', ['--deny-warnings']),
  },
  { name: 'types', fix: 'correct the types', run: async (root) => tool(root, 'tsc', ['-b']) },
  {
    name: 'test types',
    fix: 'correct the types',
    run: async (root) => testTypesHold(root),
  },
  { name: 'import rule', fix: 'see "Import rule" in ARCHITECTURE.md', run: importRule },
  {
    name: 'import graph',
    fix: 'node tools/repository/dist/cli.js import-graph <folder> shows the edges',
    run: async (root) => importGraphsHold(root),
  },
  {
    name: 'source files',
    fix: 'merge a short file into another, divide a full folder, or see LAYOUT_EXCEPTIONS in tools/repository/src/source-layout/source-files.ts',
    run: async (root) => sourceFilesHold(root),
  },
  {
    name: 'test inputs',
    fix: 'declare the path in nx.targets.test.inputs, or its project in nx.implicitDependencies, in the package.json of the project',
    run: testInputsHold,
  },
  { name: 'contract lint', fix: 'see proto/', run: async (root) => tool(root, 'buf', ['lint'], 'proto') },
  {
    name: 'contract breaking',
    fix: 'keep old fields, or record the new baseline with `npm run generate -- --baseline` and explain why in the commit',
    run: async (root) => tool(root, 'buf', ['breaking', '--against', 'baseline.binpb'], 'proto'),
  },
  { name: 'schema lint', fix: 'see tools/repository/src/schema-lint/reviewed-fields.ts', run: schemaLint },
  {
    name: 'architecture',
    fix: 'correct the paths in ARCHITECTURE.md, or name only what a newcomer needs',
    run: architectureHolds,
  },
  { name: 'prose', fix: 'see "Text" in CONTRIBUTING.md', run: proseHolds },
  {
    name: 'dashboard size',
    fix: 'load large parts lazily; the file apps/dashboard/dist/site/.vite/manifest.json lists them',
    run: dashboardSizeHolds,
  },
  { name: 'generated code', fix: 'npm run generate', run: generatedIsFresh },
  { name: 'generators page', fix: 'npm run generate', run: (root) => pageIsFresh(root, GENERATORS_PAGE) },
  { name: 'command line page', fix: 'npm run generate', run: (root) => pageIsFresh(root, CLI_PAGE) },
  { name: 'reference pages', fix: 'npm run generate', run: referencePagesAreFresh },
  {
    name: 'conformance',
    fix: 'see docs/adr/0056-count-conformance-by-statement.md, then npm run generate',
    run: conformanceHolds,
  },
  { name: 'postgres support', fix: 'npm run generate', run: supportPageHolds },
  { name: 'built-in models', fix: 'npm run generate', run: async (root) => buildModels(root, ['--check']) },
  {
    name: 'engine version',
    fix: 'raise ENGINE_VERSION and add a line to CHANGELOG.md if a value changed; then npm run generate',
    run: async (root) => engineVersionHolds(root),
  },
  { name: 'API description', fix: 'npm run generate', run: apiDescriptionIsFresh },
  { name: 'clients', fix: 'npm run generate', run: clientsAreFresh },
  {
    name: 'API breaking',
    fix: 'keep the API of /v1 compatible; before the first release, you may record it again with `npm run generate -- --baseline`',
    run: apiContractHolds,
  },
];

/** Generates code and the description of events for the schema in `root`/proto into `out`. */
export function generateContract(root: string, out: string): void {
  const plugin = {
    local: join(root, 'node_modules/.bin/protoc-gen-es'),
    out,
    opt: ['target=ts', 'import_extension=js'],
  };
  tool(
    root,
    'buf',
    ['generate', '--template', JSON.stringify({ version: 'v2', clean: true, plugins: [plugin] })],
    'proto',
  );
  writeEventSchema(root, out);
}

/**
 * Builds the built-in models and docs/reference/models.md. With `--check`, the build writes nothing, but
 * compares its results with the committed files.
 * @returns the output of the build
 */
export function buildModels(root: string, args: readonly string[]): string {
  return printed(root, 'models/build.mjs', ...args)
    .trim()
    .split('\n')
    .join(', ');
}

/**
 * Checks the types of the tests. The configuration refers to all projects, so that the compiler reads the declarations
 * that the build has written, and does not check the sources a second time.
 */
function testTypesHold(root: string): string {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    references: { path: string }[];
  };
  const referring = '.nx/tsconfig.test.json';
  mkdirSync(join(root, '.nx'), { recursive: true });
  writeFileSync(
    join(root, referring),
    JSON.stringify({
      extends: '../tsconfig.test.json',
      references: references.map(({ path }) => ({ path: join(root, path) })),
    }),
  );
  return [referring, 'apps/dashboard/test'].map((path) => tool(root, 'tsc', ['-p', path])).join('');
}

/** If the import rule finds fewer modules than this, the check itself is broken. The repository has many more. */
const MIN_MODULES = 500;

async function importRule(root: string): Promise<string> {
  const { faults, modules, dependencies } = await checkImports(root);
  if (faults.length > 0)
    throw new Error(faults.map((fault) => `${fault.rule}: ${fault.from} → ${fault.to}`).join('\n'));
  if (modules < MIN_MODULES) throw new Error(`expected at least ${MIN_MODULES} modules, found ${modules}`);
  return `${modules} modules, ${dependencies} imports`;
}

async function schemaLint(root: string): Promise<string> {
  const problems = lintSchema(loadSchema(join(root, 'proto'), join(root, 'node_modules/.bin/buf')), {
    directions: DIRECTIONS,
    reviewed: REVIEWED_FIELDS,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${REVIEWED_FIELDS.size} reviewed fields`;
}

async function generatedIsFresh(root: string): Promise<string> {
  const fresh = mkdtempSync(join(tmpdir(), 'understudy-contract-'));
  try {
    generateContract(root, fresh);
    const committed = join(root, 'libs/agent-protocol/src/generated');
    const names = new Set([...filesUnder(fresh), ...filesUnder(committed)]);
    const stale = [...names].filter((name) => read(join(fresh, name)) !== read(join(committed, name)));
    if (stale.length > 0) throw new Error(`outdated; run npm run generate: ${stale.join(', ')}`);
    return `${names.size} files`;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // a missing file differs from any file
  }
}
