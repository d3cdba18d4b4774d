import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8' });
}

/** Returns the suites that Jest finds with the configuration. */
function suitesOf(config: string): string[] {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const found = JSON.parse(
    run(process.execPath, jest, '--listTests', '--json', '--config', config),
  ) as string[];
  return found.map((path) => relative(ROOT, path)).sort();
}

describe('the suites of a release', () => {
  const inTest = suitesOf('jest.config.mjs');
  const inRelease = suitesOf('tools/release/jest.config.mjs');

  it('have names that end in .release.spec.ts', () => {
    expect(inRelease.length).toBeGreaterThan(0);
    expect(inRelease.filter((path) => !path.endsWith('.release.spec.ts'))).toEqual([]);
  });

  it('and those of npm test are all suites of the repository, each once', () => {
    const all = run(
      'git',
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '*.spec.ts',
      '*.spec.tsx',
    );
    expect([...inTest, ...inRelease].sort()).toEqual(all.split('\0').filter(Boolean).sort());
  });
});
