import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

describe('the table of the suites of a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-suites-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs suites with the configuration of a release. @returns the table that Jest wrote to stderr */
  function run(suites: Readonly<Record<string, string>>, ...jestArguments: readonly string[]): string {
    for (const [name, text] of Object.entries(suites)) writeFileSync(join(folder, `${name}.spec.js`), text);
    const config = {
      rootDir: folder,
      cacheDirectory: join(folder, 'cache'),
      testMatch: Object.keys(suites).map((name) => join(folder, `${name}.spec.js`)),
      transform: {},
      reporters: [join(ROOT, 'tools/release/suites-reporter.cjs')],
    };
    const { stderr } = spawnSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/jest/bin/jest.js'),
        '-i',
        '--config',
        JSON.stringify(config),
        ...jestArguments,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    // The times differ from run to run.
    return stderr
      .replaceAll(/ \d+ {2}\S*\/(?=[^/]*\.spec)/g, ' N  ')
      .replaceAll(/ \S*\/(?=[^/]*\.spec)/g, ' ');
  }

  it('does not count a test that npm test runs as skipped, and names each other skipped test', () => {
    const table = run({
      one: `it('is one', () => {}); it.skip('is two (npm test runs it)', () => {}); describe('a', () => { it.skip('b', () => {}) })`,
      two: `it('is one', () => { throw new Error('no') }); it('is two', () => {});`,
      broken: `throw new Error('cannot be loaded')`,
    });
    expect(table).toContain(
      [
        'passed  failed  skipped  in npm test  seconds  suite',
        '     0       1        0            0        N  broken.spec.js',
        '     1       0        1            1        N  one.spec.js',
        '     1       1        0            0        N  two.spec.js',
        'skipped: one.spec.js: a b',
        '',
      ].join('\n'),
    );
  });

  it('names no skipped test in a run of selected tests', () => {
    const table = run({ one: `it('is one', () => {}); it('is two', () => {})` }, '-t', 'is one');
    expect(table).toContain('     1       0        1            0        N  one.spec.js\n');
    expect(table).not.toContain('skipped:');
  });
});
