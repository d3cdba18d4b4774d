import { describeWith, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
import { bucketUnderTest, makeBucket } from './bucket-under-test.js';
import { describeDamage } from './damage-laws.js';
import { describeDrafts } from './draft-laws.js';
import { describeStore } from './store-laws.js';

describeWith('a store in a bucket', 'swift', () => {
  let server: TestBucketServer;
  const made: { close(): void }[] = [];
  let prefixes = 0;

  beforeAll(async () => {
    server = await startTestBucketServer();
    await makeBucket(server, 'laws');
  });
  afterEach(() => made.splice(0).forEach((bucket) => bucket.close()));
  afterAll(() => server?.stop());

  const make = async () => {
    const bucket = bucketUnderTest(server, 'laws', `${prefixes++}/`);
    made.push(bucket);
    return bucket;
  };

  describeStore(make, 12);
  describeDamage(make, 8);
  describeDrafts(make);
});
