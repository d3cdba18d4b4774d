import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const root = import.meta.dirname;

/** Suites that only a release needs. tools/release/jest.config.mjs runs them, and no others. */
const RELEASE_SUITES = String.raw`\.release\.spec\.ts$`;

/** Configures a jest project for a workspace. Specs are beside the code, and in `test/` (laws, integration, e2e). */
function project(folder, name) {
  return {
    displayName: name,
    rootDir: join(root, folder, name),
    runtime: join(root, 'tools/repository/jest/shared-modules-runtime.cjs'),
    testEnvironment: join(root, 'tools/repository/jest/one-realm-environment.cjs'),
    testEnvironmentOptions: {
      customExportConditions: ['@understudy/source', 'node', 'node-addons', 'import', 'default'],
    },
    testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
    testPathIgnorePatterns: ['/node_modules/', RELEASE_SUITES],
    transform: { '^.+\\.([mc]?[jt]s|tsx)$': join(root, 'jest-esm-to-cjs.cjs') },
    transformIgnorePatterns: ['\\.json$'],
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.tsx', '$1.js'] },
  };
}

const projects = ['libs', 'apps', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => existsSync(join(root, folder, name, 'package.json')))
    .map((name) => project(folder, name)),
);

/** The clients in all languages: the common tests, and the specs of the client in TypeScript. */
const clients = {
  ...project('.', 'clients'),
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/typescript/{src,test}/**/*.spec.ts'],
};

export default {
  projects: [...projects, clients],
  globalSetup: join(root, 'tools/repository/jest/prepare-run.mjs'),
  // Ends a test that hangs. Before that, `waitFor` names what did not happen. A suite that needs more sets its own.
  testTimeout: 120_000,
  // A worker whose suites leave nothing open still needs more than the default of 0.5 s to free its memory. A worker
  // that does not end in this time has an open handle, which Jest then reports.
  workerGracefulExitTimeout: 30_000,
  // Most suites wait for services, leases and processes, so twice as many workers as cores keep the cores busy. A
  // fifth worker on two cores used 3 % more CPU time and saved none.
  maxWorkers: 2 * availableParallelism(),
  testSequencer: join(root, 'tools/repository/slowest-first.cjs'),
  reporters: [
    'default',
    join(root, 'tools/repository/named-tests-reporter.cjs'),
    join(root, 'tools/repository/release-suites-reporter.cjs'),
    join(root, 'tools/repository/totals-reporter.cjs'),
  ],
};
