export { beforeAndAfter, inColumns } from './before-after.js';
export { shopSyncRequest } from './sync-request.js';
