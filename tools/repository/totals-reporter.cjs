/** Prints one line at the end of a run: the numbers of passed, failed and skipped tests of all suites. */
module.exports = class TotalsReporter {
  onRunComplete(_contexts, results) {
    // A suite that fails to load has no tests, so it counts as one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed${tail}\n`);
  }
};
