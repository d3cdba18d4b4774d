import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { namedTestReport, type TestOutcome } from '../src/named-tests/named-tests.js';

const FILE = 'libs/a.spec.ts';

describe('namedTestReport', () => {
  const outcome = (title: string, status: string, file = FILE): TestOutcome => ({
    file,
    fullName: `a thing ${title}`,
    status,
  });
  const report = (title: string, outcomes: TestOutcome[], reason?: string, file = FILE) =>
    namedTestReport(
      [{ file, title }],
      outcomes,
      reason === undefined ? [] : [{ file: FILE, title: 'a thing works', reason }],
    );

  it.each(['works', 'a thing works', 'a … works', 'a thing w…s'])(
    'finds a test by its title, with or without the titles of its describe blocks: %s',
    (title) => {
      expect(report(title, [outcome('works', 'passed')])).toEqual({ faults: [], skips: [] });
    },
  );

  it('finds a test that a module defines in the suites that import it', () => {
    const module = 'libs/test/define-tests.ts';
    expect(report('works', [outcome('works', 'passed')], undefined, module).faults).toEqual([]);
    expect(report('works', [outcome('work', 'passed')], undefined, module).faults).toHaveLength(1);
  });

  it('accepts a failed test, because the run reports it', () => {
    expect(report('works', [outcome('works', 'failed')]).faults).toEqual([]);
  });

  it.each<[string, TestOutcome[]]>([
    ['did not run', []],
    ['has another title', [outcome('work', 'passed')]],
    ['has a longer title', [outcome('works twice', 'passed')]],
    ['is in another file', [outcome('works', 'passed', 'libs/b.spec.ts')]],
  ])('reports a test that %s', (_, outcomes) => {
    expect(report('works', outcomes).faults).toEqual([
      'a test that shows a statement did not run: "works" in libs/a.spec.ts',
    ]);
  });

  it.each(['pending', 'skipped', 'todo', 'disabled'])('reports a test with the status %s', (status) => {
    expect(report('works', [outcome('works', 'passed'), outcome('works', status)]).faults).toEqual([
      'a test that shows a statement was skipped: "a thing works" in libs/a.spec.ts',
    ]);
  });

  it('accepts a skipped test with a recorded reason, and reports the reason', () => {
    expect(report('works', [outcome('works', 'pending')], 'PHP is not installed')).toEqual({
      faults: [],
      skips: ['"a thing works" was skipped: PHP is not installed'],
    });
  });
});

describe('the reporter of named tests', () => {
  const REPORTER = join(__dirname, '../named-tests-reporter.cjs');
  const run = (...jestArguments: string[]) =>
    spawnSync(
      process.execPath,
      [
        '-e',
        `const Reporter = require(${JSON.stringify(REPORTER)});
         process.argv.splice(1, Infinity, 'jest', ...${JSON.stringify(jestArguments)});
         const reporter = new Reporter();
         reporter.onRunComplete(undefined, { testResults: [] })
           .then(() => process.stdout.write(String(reporter.getLastError()?.message)));`,
      ],
      { encoding: 'utf8' },
    );

  it('fails a full run in which no named test ran', () => {
    const { stdout, stderr } = run();
    expect(stdout).toMatch(/^\d+ named tests did not run$/);
    expect(stderr).toContain('a test that shows a statement did not run: "[4.2/3');
  });

  it('ignores a run of selected tests', () => {
    expect(run('libs/generator')).toMatchObject({ stdout: 'undefined', stderr: '' });
  });
});
