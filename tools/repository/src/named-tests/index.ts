export { ALLOWED_SKIPS } from './allowed-skips.js';
export { namedTestReport } from './named-test-faults.js';
export { reliancesOf } from './reliances.js';
