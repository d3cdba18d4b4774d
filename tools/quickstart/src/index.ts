export { beforeAndAfter } from './before-after.js';
export { loadShop } from './shop/load-shop.js';
export { shopSyncRequest } from './sync-request.js';
export { watchJob } from './watch-job.js';
