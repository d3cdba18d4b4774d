/** Ends a run with one plain line, `N passed, N failed`, summed over all suites: what CI and people look for. */
module.exports = class TotalsReporter {
  onRunComplete(_contexts, results) {
    // A suite that fails to load has no test to count, so it counts as one failure itself.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`\n${results.numPassedTests} passed, ${failed} failed${tail}\n`);
  }
};
