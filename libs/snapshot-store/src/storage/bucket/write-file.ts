import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3';
import { SnapshotStoreError } from '../../store-error.js';
import type { BucketClient } from './client.js';
import { hasReason } from './errors.js';
import { splitIntoParts, type Part } from './split-into-parts.js';

/** Maximum number of parts of an object in S3. */
const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 8 * 2 ** 20;

/**
 * Stores one object in at most 10,000 parts. One part is sent while the next is filled. If the upload fails,
 * it is aborted. If the abort fails too, a later sweep repeats the abort.
 * @param expectedBytes expected length; determines the part size, which is at least 8 MiB
 * @throws SnapshotStoreError `store_full` if the content does not fit into 10,000 parts, because it is much
 * longer than expected
 */
export async function uploadObject(
  bucket: BucketClient,
  key: string,
  content: AsyncIterable<Uint8Array>,
  { expectedBytes = 0, signal }: { expectedBytes?: number | undefined; signal: AbortSignal },
): Promise<void> {
  // A reserve of a tenth, because files may grow.
  const partBytes = Math.max(MIN_PART_BYTES, Math.ceil(expectedBytes / (MAX_PARTS * 0.9)));
  const parts = splitIntoParts(content, partBytes);
  try {
    const { value: first } = await parts.next();
    if (first === undefined) throw new Error('expected at least one part');
    if (first.isLast) await put(bucket, key, first.bytes, signal);
    else await uploadParts(bucket, key, first, parts, signal);
  } finally {
    await parts.return(undefined);
  }
}

async function put(bucket: BucketClient, key: string, bytes: Buffer, signal: AbortSignal): Promise<void> {
  const command = new PutObjectCommand({ Bucket: bucket.name, Key: key, Body: bytes });
  await bucket.send(signal, () => bucket.client.send(command, { abortSignal: signal }));
}

async function uploadParts(
  bucket: BucketClient,
  key: string,
  first: Part,
  rest: AsyncIterable<Part>,
  signal: AbortSignal,
): Promise<void> {
  const target = { Bucket: bucket.name, Key: key };
  const { UploadId } = await bucket.send(signal, () =>
    bucket.client.send(new CreateMultipartUploadCommand(target), { abortSignal: signal }),
  );
  const upload = { ...target, UploadId };
  let sending: Promise<CompletedPart> | undefined;
  try {
    const done: CompletedPart[] = [];
    let bytes = 0;
    const send = async (part: Part): Promise<void> => {
      if (sending !== undefined) done.push(await sending);
      if (done.length === MAX_PARTS) throw new SnapshotStoreError('store_full', { reason: 'EntityTooLarge' });
      bytes += part.bytes.length;
      sending = sendPart(bucket, upload, done.length + 1, part, signal);
      sending.catch(() => undefined); // a failure is thrown when the next part is ready
    };
    await send(first);
    for await (const part of rest) await send(part);
    if (sending !== undefined) done.push(await sending);
    await complete(bucket, upload, done, bytes, signal);
  } catch (error) {
    await Promise.allSettled([sending]);
    // The signal of the caller may be aborted, so the cleanup has its own. If the cleanup fails, the sweep
    // repeats it.
    await abortUpload(bucket, key, UploadId, new AbortController().signal).catch(() => undefined);
    throw error;
  }
}

type Upload = { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined };

async function sendPart(
  bucket: BucketClient,
  upload: Upload,
  PartNumber: number,
  part: Part,
  signal: AbortSignal,
): Promise<CompletedPart> {
  const command = new UploadPartCommand({ ...upload, PartNumber, Body: part.bytes });
  const { ETag, ChecksumCRC32 } = await bucket.send(signal, () =>
    bucket.client.send(command, { abortSignal: signal }),
  );
  return { PartNumber, ETag, ...(ChecksumCRC32 !== undefined && { ChecksumCRC32 }) };
}

async function complete(
  bucket: BucketClient,
  upload: Upload,
  Parts: CompletedPart[],
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
  try {
    await bucket.send(signal, () => bucket.client.send(command, { abortSignal: signal }));
  } catch (error) {
    // If the upload is gone and the object exists, the request succeeded and only its response was lost.
    if (!hasReason(error, 'NoSuchUpload') || (await bucket.sizeOf(upload.Key, signal)) !== bytes) throw error;
  }
}

/**
 * Aborts an upload. The parts of an upload that is not aborted remain in the bucket, invisible but charged
 * for. Does nothing if the upload does not exist.
 */
export async function abortUpload(
  bucket: BucketClient,
  key: string,
  uploadId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket.name, Key: key, UploadId: uploadId });
  await bucket
    .send(signal, () => bucket.client.send(command, { abortSignal: signal }))
    .catch((error: unknown) => {
      if (!hasReason(error, 'NoSuchUpload')) throw error;
    });
}
