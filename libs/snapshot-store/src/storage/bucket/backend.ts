import { PutObjectCommand } from '@aws-sdk/client-s3';
import { forEachInOrder } from '../../concurrency/map-in-order.js';
import {
  attemptName,
  isArchiveId,
  parseAttemptName,
  parseFileNumber,
  type ArchiveAttempt,
} from '../archive-attempt.js';
import type { StorageBackend, WriteOptions } from '../storage-backend.js';
import { SnapshotStoreError } from '../../store-error.js';
import { BucketClient } from './client.js';
import { hasReason } from './errors.js';
import { createS3Client, keyPrefix, type BucketOptions } from './options.js';
import { readObject } from './read-file.js';
import { abortUpload, uploadObject } from './write-file.js';

// The package exports this file separately, so an agent that stores archives in a folder does not load the
// AWS SDK.
export type { BucketOptions };

/**
 * Maximum number of concurrent requests that delete objects. Each request deletes one object, because servers
 * disagree about the checksum of a request that deletes several objects.
 */
const CONCURRENT_REMOVALS = 8;

/** Stores archives in a bucket: `<prefix>manifests/<archive id>` and `<prefix>files/<archive id>.<attempt id>/<number>`. */
export class BucketBackend implements StorageBackend {
  private readonly bucket: BucketClient;
  private readonly manifests: string;
  private readonly filesOfAll: string;

  /** Creates the client without sending a request. @throws RangeError if the prefix is invalid */
  constructor(options: BucketOptions) {
    this.bucket = new BucketClient(createS3Client(options), options.bucket);
    this.manifests = `${keyPrefix(options)}manifests/`;
    this.filesOfAll = `${keyPrefix(options)}files/`;
  }

  /** Closes idle connections. */
  close(): void {
    this.bucket.client.destroy();
  }

  async writeFile(
    attempt: ArchiveAttempt,
    number: number,
    content: AsyncIterable<Uint8Array>,
    options: WriteOptions,
  ): Promise<void> {
    await uploadObject(this.bucket, this.attemptPrefix(attempt) + String(number), content, options);
  }

  async readFile(
    attempt: ArchiveAttempt,
    number: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    return readObject(this.bucket, this.attemptPrefix(attempt) + String(number), signal);
  }

  async *listFiles(
    attempt: ArchiveAttempt,
    signal: AbortSignal,
  ): AsyncGenerator<{ number: number; bytes: number }> {
    const folder = this.attemptPrefix(attempt);
    for await (const { key, bytes } of this.bucket.objects(folder, signal)) {
      const number = parseFileNumber(key.slice(folder.length));
      if (number !== undefined) yield { number, bytes };
    }
  }

  async publish(attempt: ArchiveAttempt, manifest: Uint8Array, signal: AbortSignal): Promise<void> {
    try {
      await this.put(attempt.archiveId, manifest, signal, true);
    } catch (error) {
      if (hasReason(error, 'NotImplemented')) return this.publishUnconditionally(attempt, manifest, signal);
      if (!hasReason(error, 'PreconditionFailed', 'ConditionalRequestConflict')) throw error;
      // If the first response was lost, the SDK's retry conflicts with the manifest that the first request
      // wrote.
      const existing = await this.readManifest(attempt.archiveId, manifest.length, signal).catch(
        () => undefined,
      );
      if (existing === undefined || Buffer.compare(existing, manifest) !== 0)
        throw new SnapshotStoreError('archive_exists', { archiveId: attempt.archiveId });
    }
  }

  async readManifest(archiveId: string, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const content = await readObject(this.bucket, this.manifests + archiveId, signal);
    if (content === undefined) return undefined;
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of content) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > limit) throw new SnapshotStoreError('archive_damaged', { archiveId, damage: 'manifest' });
    }
    return Buffer.concat(pieces);
  }

  async *listArchiveIds(after: string | undefined, signal: AbortSignal): AsyncGenerator<string> {
    const from = after === undefined ? undefined : this.manifests + after;
    for await (const { key } of this.bucket.objects(this.manifests, signal, from)) {
      const name = key.slice(this.manifests.length);
      if (isArchiveId(name)) yield name;
    }
  }

  async unpublish(archiveId: string, signal: AbortSignal): Promise<void> {
    await this.bucket.delete(this.manifests + archiveId, signal);
  }

  async *listAttempts(archiveId: string | undefined, signal: AbortSignal): AsyncGenerator<ArchiveAttempt> {
    const prefix = archiveId === undefined ? this.filesOfAll : `${this.filesOfAll}${archiveId}.`;
    const names = new Set<string>();
    for await (const name of this.bucket.folders(prefix, signal)) names.add(name);
    for await (const { key } of this.bucket.uploads(prefix, signal))
      names.add(key.slice(this.filesOfAll.length).split('/', 1)[0] ?? '');
    for (const name of names) {
      const attempt = parseAttemptName(name);
      if (attempt !== undefined) yield attempt;
    }
  }

  async lastChange(attempt: ArchiveAttempt, signal: AbortSignal): Promise<Date | undefined> {
    const folder = this.attemptPrefix(attempt);
    let latest: Date | undefined;
    const consider = (instant: Date): void => {
      if (latest === undefined || instant > latest) latest = instant;
    };
    for await (const { changedAt } of this.bucket.objects(folder, signal)) consider(changedAt);
    for await (const { begunAt } of this.bucket.uploads(folder, signal)) consider(begunAt);
    return latest;
  }

  async removeAttempt(attempt: ArchiveAttempt, signal: AbortSignal): Promise<void> {
    const folder = this.attemptPrefix(attempt);
    await forEachInOrder(this.bucket.uploads(folder, signal), CONCURRENT_REMOVALS, ({ key, uploadId }) =>
      abortUpload(this.bucket, key, uploadId, signal),
    );
    await forEachInOrder(this.bucket.objects(folder, signal), CONCURRENT_REMOVALS, ({ key }) =>
      this.bucket.delete(key, signal),
    );
  }

  /**
   * Publishes on servers without conditional writes. If two agents publish the same archive concurrently,
   * both may succeed.
   */
  private async publishUnconditionally(
    attempt: ArchiveAttempt,
    manifest: Uint8Array,
    signal: AbortSignal,
  ): Promise<void> {
    const { archiveId } = attempt;
    if ((await this.bucket.sizeOf(this.manifests + archiveId, signal)) !== undefined)
      throw new SnapshotStoreError('archive_exists', { archiveId });
    await this.put(archiveId, manifest, signal, false);
  }

  private async put(
    archiveId: string,
    manifest: Uint8Array,
    signal: AbortSignal,
    ifNew: boolean,
  ): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.bucket.name,
      Key: this.manifests + archiveId,
      Body: manifest,
      ...(ifNew && { IfNoneMatch: '*' }),
    });
    await this.bucket.send(signal, () => this.bucket.client.send(command, { abortSignal: signal }));
  }

  private attemptPrefix(attempt: ArchiveAttempt): string {
    return `${this.filesOfAll}${attemptName(attempt)}/`;
  }
}
