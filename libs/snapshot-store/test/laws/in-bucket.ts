import { describeWith, startTestBucketServer, type TestBucketServer } from '@understudy/testing';
import type { MakeStore } from './archives.js';
import { bucketUnderTest, makeBucket } from './bucket-under-test.js';

/** Defines tests of stores in a bucket. Skips them if the machine has no server for buckets. */
export function describeInBucket(define: (make: MakeStore) => void): void {
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

    define(async () => {
      const bucket = bucketUnderTest(server, 'laws', `${prefixes++}/`);
      made.push(bucket);
      return bucket;
    });
  });
}
