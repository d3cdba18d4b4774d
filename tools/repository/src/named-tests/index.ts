export { ALLOWED_SKIPS } from './allowed-skips.js';
export { namedTestReport } from './named-tests.js';
export { namedTestReferences } from './references.js';
