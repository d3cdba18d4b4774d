export { namedTestReport } from './named-tests.js';
export { ALLOWED_SKIPS, namedTests } from './references.js';
