const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

const ROOT = `${__dirname}/../..`;

/** The end of the name of a test that `npm test` runs instead. libs/testing/src/test-run.ts adds it. */
const IN_TEST = ' (npm test runs it)';

const HEAD = ['passed', 'failed', 'skipped', 'in npm test', 'seconds'];

/**
 * Prints a line to stderr after each suite of a release, and a table of all suites at the end, for the note of the
 * release. A test that `npm test` runs instead is not counted as skipped. Each other skipped test is named, because
 * nothing has run it. If UNDERSTUDY_SUITES_REPORT names a file, `npm run release -- --verify` reads the results there.
 */
module.exports = class SuitesReporter {
  #isPartial;
  #suites = { started: 0, ended: 0, total: 0 };

  constructor({ testNamePattern }) {
    this.#isPartial = Boolean(testNamePattern);
  }

  onRunStart({ numTotalTestSuites }) {
    this.#suites = { started: performance.now(), ended: 0, total: numTotalTestSuites };
  }

  onTestResult(_test, testResult) {
    const suite = readSuite(testResult);
    const { started, total } = this.#suites;
    const number = (this.#suites.ended += 1);
    const elapsed = Math.round((performance.now() - started) / 1_000);
    process.stderr.write(
      `suite ${number} of ${total}, after ${elapsed} s: ${suite.path} ${resultOf(suite)} in ${suite.seconds} s\n`,
    );
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
    const report = process.env.UNDERSTUDY_SUITES_REPORT;
    if (report !== undefined) writeFileSync(report, JSON.stringify(suites.map(stepOf)));
  }
};

/** Returns the row of a suite in the table of `npm run release -- --verify`, as `StepRow` in src/steps.ts. */
function stepOf(suite) {
  const { path, failed, skipped, seconds } = suite;
  const counts = [failed > 0 && `${failed} failed`, skipped.length > 0 && `${skipped.length} skipped`];
  const reason = counts.filter(Boolean).join(', ');
  return { step: path, result: resultOf(suite), seconds, ...(reason && { reason }) };
}

function resultOf({ passed, failed }) {
  if (failed > 0) return 'failed';
  return passed > 0 ? 'held' : 'skipped';
}

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
