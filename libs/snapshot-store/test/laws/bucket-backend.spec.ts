import { describeDrafts } from './draft-laws.js';
import { describeInBucket } from './in-bucket.js';
import { describeStore } from './store-laws.js';

describeInBucket((make) => {
  describeStore(make, 12);
  describeDrafts(make);
});
