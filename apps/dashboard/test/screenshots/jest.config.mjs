import config from '../../../../jest.config.mjs';

/** Runs only take-screenshots.ts, which is no test of its own: `npm run screenshots`. */
export default {
  ...config,
  projects: config.projects
    .filter(({ displayName }) => displayName === 'dashboard')
    .map((project) => ({ ...project, testMatch: ['<rootDir>/test/screenshots/take-screenshots.ts'] })),
  reporters: ['default'],
};
