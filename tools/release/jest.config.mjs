import { join } from 'node:path';

import config from '../../jest.config.mjs';

/**
 * Runs only the suites that `npm test` leaves out, in all projects. `npm run release -- --verify` uses this file, and
 * `npm test -- --config tools/release/jest.config.mjs <path>` runs a single suite.
 */
export default {
  ...config,
  reporters: [...config.reporters, join(import.meta.dirname, 'suites-reporter.cjs')],
  projects: config.projects.map((project) => ({
    ...project,
    testPathIgnorePatterns: ['/node_modules/'],
    testMatch: project.testMatch.map((glob) => glob.replace('*.spec.ts', '*.release.spec.ts')),
  })),
};
