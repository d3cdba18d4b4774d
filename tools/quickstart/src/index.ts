export { beforeAndAfter } from './before-after.js';
export { shopSyncRequest } from './sync-request.js';
export { watchJob } from './watch-job.js';
