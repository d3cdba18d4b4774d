const { relative } = require('node:path');

const ROOT = `${__dirname}/../..`;

/**
 * Fails a full run if a test that docs/reference/conformance.md names did not run. A full run is jest without
 * arguments, as in CI. The reporter ignores any other run.
 */
module.exports = class NamedTestsReporter {
  #error;

  async onRunComplete(_contexts, results) {
    if (process.argv.length > 2) return;
    const { ALLOWED_SKIPS, namedTestReport, namedTests } = await import('./dist/named-tests/index.js');
    const outcomes = results.testResults.flatMap(({ testFilePath, testResults }) =>
      testResults.map(({ fullName, status }) => ({
        file: relative(ROOT, testFilePath).replaceAll('\\', '/'),
        fullName,
        status,
      })),
    );
    const { faults, skips } = namedTestReport(namedTests(ROOT), outcomes, ALLOWED_SKIPS);
    for (const skip of skips) process.stderr.write(`${skip}\n`);
    if (faults.length === 0) return;
    this.#error = new Error(`${faults.length} named tests did not run`);
    process.stderr.write(
      `\n${faults.join('\n')}\n${this.#error.message}: correct the numbers in their titles, or let the tests run.\n`,
    );
  }

  getLastError() {
    return this.#error;
  }
};
