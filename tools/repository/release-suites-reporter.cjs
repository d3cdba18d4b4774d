const { relative } = require('node:path');

const ROOT = `${__dirname}/../..`;

/** Names the suites of the projects that ran which only `npm run release -- --verify` runs. */
module.exports = class ReleaseSuitesReporter {
  onRunComplete(contexts, results) {
    const ran = new Set(results.testResults.map(({ testFilePath }) => testFilePath));
    const files = [...contexts].flatMap(({ hasteFS }) => hasteFS.getAllFiles());
    const left = files.filter((file) => file.endsWith('.release.spec.ts') && !ran.has(file));
    if (left.length === 0) return;
    const suites = left.map((file) => `\n  ${relative(ROOT, file)}`).sort();
    process.stderr.write(
      `\nOnly "npm run release -- --verify" runs ${left.length} more suites:${suites.join('')}\n`,
    );
  }
};
