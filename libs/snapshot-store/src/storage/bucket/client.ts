import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type GetObjectCommandOutput,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { bucketError, hasReason } from './errors.js';

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly changedAt: Date;
}

export interface UnfinishedUpload {
  readonly key: string;
  readonly uploadId: string;
  readonly begunAt: Date;
}

/**
 * Sends the few kinds of requests that archives need, in a form that servers other than AWS also accept. If a
 * request fails, the method throws a SnapshotStoreError.
 */
export class BucketClient {
  constructor(
    readonly client: S3Client,
    readonly name: string,
  ) {}

  /**
   * Lists objects in the order of their keys, a thousand per request.
   * @param after the last key to skip
   */
  async *objects(prefix: string, signal: AbortSignal, after?: string): AsyncGenerator<StoredObject> {
    for await (const page of this.pages({ Prefix: prefix }, signal, after))
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        if (Key !== undefined) yield { key: Key, bytes: Size ?? 0, changedAt: LastModified ?? new Date(0) };
  }

  /**
   * Lists the folders whose path begins with the prefix. Returns only the last component of each path.
   */
  async *folders(prefix: string, signal: AbortSignal): AsyncGenerator<string> {
    const parent = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    for await (const page of this.pages({ Prefix: prefix, Delimiter: '/' }, signal))
      for (const { Prefix } of page.CommonPrefixes ?? [])
        if (Prefix !== undefined) yield Prefix.slice(parent.length, -1);
  }

  /** Lists unfinished multipart uploads. Lists none if the server does not support the request. */
  async *uploads(prefix: string, signal: AbortSignal): AsyncGenerator<UnfinishedUpload> {
    let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
    while (after !== undefined) {
      const markers: { KeyMarker?: string; UploadIdMarker?: string } = after;
      const page = await this.send(signal, () =>
        this.client.send(new ListMultipartUploadsCommand({ Bucket: this.name, Prefix: prefix, ...markers }), {
          abortSignal: signal,
        }),
      ).catch((error: unknown) => {
        if (hasReason(error, 'NotImplemented', 'MethodNotAllowed')) return undefined;
        throw error;
      });
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? [])
        if (Key !== undefined && UploadId !== undefined)
          yield { key: Key, uploadId: UploadId, begunAt: Initiated ?? new Date(0) };
      after =
        page?.IsTruncated && page.NextKeyMarker
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker ?? '' }
          : undefined;
    }
  }

  /**
   * Reads an object.
   * @param from first byte to read
   * @param etag the expected version
   * @returns undefined if the object does not exist
   */
  async get(
    key: string,
    signal: AbortSignal,
    from = 0,
    etag?: string,
  ): Promise<GetObjectCommandOutput | undefined> {
    const command = new GetObjectCommand({
      Bucket: this.name,
      Key: key,
      ...(from > 0 && { Range: `bytes=${from}-` }),
      ...(etag !== undefined && { IfMatch: etag }),
    });
    return this.send(signal, () => this.client.send(command, { abortSignal: signal })).catch(
      (error: unknown) => {
        if (hasReason(error, 'NoSuchKey')) return undefined;
        throw error;
      },
    );
  }

  /**
   * Reads the size of an object from a listing. A HEAD response has no body, so it cannot distinguish a
   * missing object from a missing bucket.
   */
  async sizeOf(key: string, signal: AbortSignal): Promise<number | undefined> {
    for await (const object of this.objects(key, signal))
      return object.key === key ? object.bytes : undefined;
    return undefined;
  }

  /** Deletes an object. Does nothing if the object does not exist. */
  async delete(key: string, signal: AbortSignal): Promise<void> {
    await this.send(signal, () =>
      this.client.send(new DeleteObjectCommand({ Bucket: this.name, Key: key }), { abortSignal: signal }),
    ).catch((error: unknown) => {
      if (!hasReason(error, 'NoSuchKey')) throw error;
    });
  }

  private async *pages(
    listed: { readonly Prefix: string; readonly Delimiter?: string },
    signal: AbortSignal,
    after?: string,
  ): AsyncGenerator<ListObjectsV2CommandOutput> {
    let next: { StartAfter?: string; ContinuationToken?: string } =
      after === undefined ? {} : { StartAfter: after };
    for (;;) {
      const command = new ListObjectsV2Command({ Bucket: this.name, ...listed, ...next });
      const page = await this.send(signal, () => this.client.send(command, { abortSignal: signal }));
      yield page;
      if (!page.IsTruncated || page.NextContinuationToken === undefined) return;
      next = { ContinuationToken: page.NextContinuationToken };
    }
  }

  /**
   * Sends a request and converts its error.
   * @throws the signal's reason if the signal was aborted; a SnapshotStoreError if the request failed
   */
  async send<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      throw bucketError(error);
    }
  }
}
