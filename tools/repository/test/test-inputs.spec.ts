import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readProjectGraph } from '../src/test-inputs/project-graph.js';
import { ROOT_READERS, undeclaredInputs } from '../src/test-inputs/test-inputs.js';
import { affectedBy, cache, ROOT, testedProjects } from './affected-by.js';

describe('the projects of Nx', () => {
  const tested = testedProjects();

  it('are those of Jest, except a project without tests', () => {
    expect(affectedBy('package-lock.json')).toEqual(tested.sort());
    const files = readdirSync(join(ROOT, 'tools/quickstart/src'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.spec.ts'))).toEqual([]);
  });

  it('are all affected by a change of a file that belongs to none of them', () => {
    expect(affectedBy('a-new-folder/file.txt')).toEqual(tested.sort());
  });

  it.each([
    [
      'libs/bytes/src/index.ts',
      ['bytes', 'records', 'generator', 'postgres', 'agent', 'cli'],
      ['random', 'ui'],
    ],
    ['docs/guides/webhooks.md', ['control-plane', 'cli', 'repository'], ['sync-engine']],
    ['apps/agent/src/main.ts', ['agent', 'control-plane', 'dashboard', 'clients', 'faults'], ['sync-engine']],
  ])('after a change of %s include those that need it', (file, included, excluded) => {
    const affected = affectedBy(file);
    expect(affected).toEqual(expect.arrayContaining(included));
    expect(affected.filter((name) => excluded.includes(name))).toEqual([]);
  });
});

describe('the check of the inputs of tests', () => {
  const projects = readProjectGraph(ROOT, cache); // before all tests, which use what Nx keeps
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
