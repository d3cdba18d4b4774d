import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { TestBucketServer } from '@understudy/testing';
import { BucketBackend, type BucketOptions } from '../../src/storage/bucket/backend.js';
import type { StoreUnderTest } from './archives.js';

export function optionsOf(server: TestBucketServer, bucket: string): BucketOptions {
  const { endpoint, owner } = server;
  return { bucket, endpoint, region: 'us-east-1', forcePathStyle: true, credentials: owner, prefix: 'a/b' };
}

/**
 * Creates a bucket on the server. Creating a bucket is slow, so all stores of a test file share one bucket
 * and have different prefixes.
 */
export async function makeBucket(server: TestBucketServer, bucket: string): Promise<void> {
  const client = clientOf(server);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}

export function bucketUnderTest(
  server: TestBucketServer,
  bucket: string,
  prefix: string,
): StoreUnderTest & { uploads(): Promise<number>; close(): void } {
  const client = clientOf(server);
  const backend = new BucketBackend({ ...optionsOf(server, bucket), prefix });
  const keyOf = (key: string) => ({ Bucket: bucket, Key: prefix + key });
  return {
    backend,
    keys: async () => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }),
      );
      return Contents.map(({ Key = '' }) => Key.slice(prefix.length));
    },
    get: async (key) => {
      const { Body } = await client.send(new GetObjectCommand(keyOf(key)));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    put: async (key, bytes) => {
      await client.send(new PutObjectCommand({ ...keyOf(key), Body: bytes }));
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand(keyOf(key)));
    },
    uploads: async () => {
      const answer = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }));
      return answer.Uploads?.length ?? 0;
    },
    close: () => {
      client.destroy();
      backend.close();
    },
  };
}

function clientOf({ endpoint, owner }: TestBucketServer): S3Client {
  return new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: owner });
}
