export type { ColumnTypeName, Failure, FailurePlace, FailureProblem, LackingPrivilege } from './failure.js';
export { failureError, type FailureError } from './failure-error.js';
export { failureMessage, knownCode } from './failure-message.js';
export { missingPrivilege } from './missing-privilege.js';
export { type NamedTable, type Names, namesOf } from './names.js';
export { problemDetails } from './problem-details.js';
export { capital, type Place, type Sentence } from './sentence.js';
export { type Warning, warningOf } from './warning-message.js';
export { LOCAL_SYNC_WORDING, SYNC_JOB_WORDING, type Wording } from './wording.js';
