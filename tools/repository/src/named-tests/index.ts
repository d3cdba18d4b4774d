export { namedTestReport } from './named-tests.js';
export { ALLOWED_SKIPS, namedTestReferences } from './references.js';
