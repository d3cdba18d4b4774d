const { relative } = require('node:path');

const ROOT = `${__dirname}/../..`;

/** The end of the name of a test that `npm test` runs instead. libs/sync-engine/test/integration/test-run.ts adds it. */
const IN_TEST = ' (npm test runs it)';

const HEAD = ['passed', 'failed', 'skipped', 'in npm test', 'seconds'];

/**
 * Prints a table of the suites of a release to stderr, for its note. A test that `npm test` runs instead is not counted
 * as skipped. Each other skipped test is named, because nothing has run it.
 */
module.exports = class SuitesReporter {
  #isPartial;

  constructor({ testNamePattern }) {
    this.#isPartial = Boolean(testNamePattern);
  }

  onRunComplete(_contexts, { testResults }) {
    const suites = testResults.map(readSuite).sort((a, b) => (a.path < b.path ? -1 : 1));
    const line = (cells, path) =>
      `${cells.map((cell, i) => String(cell).padStart(HEAD[i].length)).join('  ')}  ${path}\n`;
    const rows = suites.map(({ path, passed, failed, skipped, inTest, seconds }) =>
      line([passed, failed, skipped.length, inTest, seconds], path),
    );
    // A run of selected tests skips all others.
    const names = this.#isPartial
      ? []
      : suites.flatMap(({ path, skipped }) => skipped.map((name) => `skipped: ${path}: ${name}\n`));
    process.stderr.write(`\n${[line(HEAD, 'suite'), ...rows, ...names].join('')}`);
  }
};

function readSuite({ testFilePath, testResults, testExecError, perfStats }) {
  const named = (...statuses) => testResults.filter(({ status }) => statuses.includes(status));
  const notRun = named('pending', 'skipped', 'todo', 'disabled').map(({ fullName }) => fullName);
  const skipped = notRun.filter((name) => !name.endsWith(IN_TEST));
  return {
    path: relative(ROOT, testFilePath),
    passed: named('passed').length,
    failed: named('failed').length + (testExecError ? 1 : 0), // a suite that cannot be loaded has no tests
    skipped,
    inTest: notRun.length - skipped.length,
    seconds: Math.round(perfStats.runtime / 1_000),
  };
}
