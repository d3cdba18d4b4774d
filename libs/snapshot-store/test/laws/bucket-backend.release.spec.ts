import { describeDamage } from './damage-laws.js';
import { describeInBucket } from './in-bucket.js';

describeInBucket((make) => describeDamage(make, 8));
