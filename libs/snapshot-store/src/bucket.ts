// Apart from the rest: whoever keeps archives in a folder need not load the AWS SDK.
export type { BucketOptions } from './bucket/bucket-options.js';
export { BucketPlace } from './bucket/bucket-place.js';
