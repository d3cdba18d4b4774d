export { isDeviation, isTestedHere, says, type Requirement } from './requirement.js';
export { REQUIREMENTS, SECTIONS } from './requirements.js';
