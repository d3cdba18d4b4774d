import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

describe('the table of the suites of a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-suites-'));
  const report = join(folder, 'report.json');
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
      { cwd: folder, encoding: 'utf8', env: { ...process.env, UNDERSTUDY_SUITES_REPORT: report } },
    );
    // The times differ from run to run.
    return stderr
      .replaceAll(/(?<=after | in )\d+ s/g, 'N s')
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

  it('counts the suites that have ended, and writes a row for each for the table of the release', () => {
    const printed = run({
      one: `it('is one', () => {}); it.skip('is two', () => {}); it.skip('is three (npm test runs it)', () => {})`,
      two: `it('is one', () => { throw new Error('no') }); it('is two', () => {});`,
      none: `it.skip('is one', () => {})`,
    });
    const progress = [...printed.matchAll(/^suite (\d) of 3, after N s: (\S+) (\w+) in N s$/gm)];
    expect(progress.map(([, number]) => number)).toEqual(['1', '2', '3']);
    const results = progress.map(([, , path = '', result]) => `${path} ${result}`);
    expect(results.sort()).toEqual(['none.spec.js skipped', 'one.spec.js held', 'two.spec.js failed']);
    const rows = JSON.parse(readFileSync(report, 'utf8')) as readonly Record<string, unknown>[];
    const seconds = expect.any(Number);
    expect(rows).toEqual([
      { step: expect.stringMatching(/none/), result: 'skipped', seconds, reason: '1 skipped' },
      { step: expect.stringMatching(/one/), result: 'held', seconds, reason: '1 skipped' },
      { step: expect.stringMatching(/two/), result: 'failed', seconds, reason: '1 failed' },
    ]);
  });

  it('names no skipped test in a run of selected tests', () => {
    const table = run({ one: `it('is one', () => {}); it('is two', () => {})` }, '-t', 'is one');
    expect(table).toContain('     1       0        1            0        N  one.spec.js\n');
    expect(table).not.toContain('skipped:');
  });
});
