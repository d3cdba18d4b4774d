import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cachedIn, readProjectGraph } from '../src/test-inputs/project-graph.js';
import { ROOT_READERS, undeclaredInputs } from '../src/test-inputs/test-inputs.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Nothing changes during the tests, so Nx reads all files only once. */
const cache = mkdtempSync(join(tmpdir(), 'understudy-nx-'));
afterAll(() => {
  rmSync(cache, { recursive: true });
});

/** Returns the projects whose tests Nx runs after a change of the file, without their scope. */
function affectedBy(file: string): string[] {
  const args = ['show', 'projects', '--affected', '--with-target=test', '--json', `--files=${file}`];
  const stdout = execFileSync(join(ROOT, 'node_modules/.bin/nx'), args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...cachedIn(cache) },
  });
  return (JSON.parse(stdout) as string[]).map((name) => name.replace('@understudy/', '')).sort();
}

describe('the projects of Nx', () => {
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--showConfig'];
  const config = execFileSync(process.execPath, jest, { cwd: ROOT, encoding: 'utf8' });
  const { configs } = JSON.parse(config) as { configs: { displayName: { name: string } }[] };
  const tested = configs.map(({ displayName }) => displayName.name).filter((name) => name !== 'quickstart');

  it('are those of Jest, except a project without tests', () => {
    expect(affectedBy('package-lock.json')).toEqual(tested.sort());
    const files = readdirSync(join(ROOT, 'tools/quickstart/src'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.spec.ts'))).toEqual([]);
  });

  it.each(['jest.config.mjs', 'tools/repository/slowest-first.cjs', 'a-new-folder/file.txt'])(
    'are all affected by a change of %s',
    (file) => {
      expect(affectedBy(file)).toEqual(tested.sort());
    },
  );

  it.each([
    [
      'libs/bytes/src/index.ts',
      ['bytes', 'records', 'generator', 'postgres', 'agent', 'cli'],
      ['sync-job', 'ui'],
    ],
    ['libs/ui/src/index.ts', ['ui', 'dashboard'], ['bytes', 'sync-engine', 'masking']],
    ['proto/understudy/v1/event.proto', ['repository'], ['contract', 'agent']],
    ['docs/guides/webhooks.md', ['control-plane', 'cli', 'repository'], ['sync-engine']],
    ['models/README.md', ['repository'], ['builtin-models', 'cli']],
    ['apps/agent/src/main.ts', ['agent', 'control-plane', 'dashboard', 'clients', 'faults'], ['sync-engine']],
  ])('after a change of %s include those that need it', (file, included, excluded) => {
    const affected = affectedBy(file);
    expect(affected).toEqual(expect.arrayContaining(included));
    expect(affected.filter((name) => excluded.includes(name))).toEqual([]);
  });
});

describe('the check of the inputs of tests', () => {
  const projects = readProjectGraph(ROOT);
  const helpers = readdirSync(join(ROOT, 'libs/testing/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `libs/testing/src/${name}`)
    .map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));
  const check = (path: string, source: string) =>
    undeclaredInputs(ROOT, projects, [...helpers, { path, source }]).faults.map((fault) => fault.path);

  it.each([
    ['a page', "join(ROOT, 'docs', 'adr', name)", 'docs/adr'],
    [
      'a page by a relative path',
      "readFileSync(join(import.meta.dirname, '../../../docs/adr/README.md'))",
      'docs/adr/README.md',
    ],
    ['a page at the root', "for (const page of ['SECURITY.md']) read(page);", 'SECURITY.md'],
    ['a folder in a template', 'const page = `docs/guides/${name}.md`;', 'docs/guides'],
    ['a file of another project', "const file = 'libs/masking/src/index.ts';", 'libs/masking/src/index.ts'],
    ['a built program', "const cli = 'apps/cli/dist/cli.js';", 'apps/cli/dist/cli.js'],
    ['a relative import', "import { x } from '../../masking/src/index.js';", 'libs/masking/src/index.js'],
    ['the whole repository', "const everything = join(import.meta.dirname, '../../..');", '.'],
  ])('reports %s', (_kind, source, path) => {
    expect(check('libs/random/src/planted.spec.ts', source)).toEqual([path]);
  });

  it('reports a helper that starts the agent', () => {
    const source = "import { createTestDatabase, LiveSystem } from '@understudy/testing';";
    expect(check('libs/random/test/planted.spec.ts', source)).toEqual(
      expect.arrayContaining(['apps/agent/dist/bundle', 'apps/control-plane/dist/bundle']),
    );
    expect(check('libs/random/test/planted.spec.ts', source.replace(', LiveSystem', ''))).toEqual([]);
  });

  it.each([
    ['of the project itself', 'libs/random/src/planted.spec.ts', "const file = 'libs/random/src/index.ts';"],
    ['of a dependency', 'libs/records/src/planted.spec.ts', "const file = 'libs/bytes/src/index.ts';"],
    [
      'that the project declares',
      'libs/ngram/src/planted.spec.ts',
      "const page = 'docs/reference/ngram-format.md';",
    ],
    [
      'outside of the repository',
      'libs/random/src/planted.spec.ts',
      "const data = join(import.meta.dirname, '../../../../x');",
    ],
  ])('allows a path %s', (_kind, path, source) => {
    expect(check(path, source)).toEqual([]);
  });

  it('has no exception for a file that does not need it', () => {
    const unneeded = ROOT_READERS.filter(
      ({ path }) => !/'(\.\.\/)+\.\.'/.test(readFileSync(join(ROOT, path), 'utf8')),
    );
    expect(unneeded).toEqual([]);
  });
});
