import { PutObjectCommand } from '@aws-sdk/client-s3';
import { forAll } from '../in-order.js';
import {
  bodyName,
  isArchiveId,
  parseBodyName,
  parseFileNumber,
  type ArchivePlace,
  type Body,
  type WriteOptions,
} from '../place/archive-place.js';
import { SnapshotStoreError } from '../store-error.js';
import { Bucket } from './bucket.js';
import { isAnswer } from './bucket-failure.js';
import { clientOf, prefixOf, type BucketOptions } from './bucket-options.js';
import { readObject } from './read-object.js';
import { abortUpload, uploadObject } from './upload-object.js';

/** Deletions one by one: servers disagree about the checksum that the request for many has to carry. */
const REMOVALS_AT_ONCE = 8;

/** Archives in a bucket: `<prefix>manifests/<archive id>` and `<prefix>files/<archive id>.<attempt>/<number>`. */
export class BucketPlace implements ArchivePlace {
  private readonly bucket: Bucket;
  private readonly manifests: string;
  private readonly filesOfAll: string;

  /** Asks nothing of the bucket yet. @throws RangeError for a prefix that cannot be one */
  constructor(options: BucketOptions) {
    this.bucket = new Bucket(clientOf(options), options.bucket);
    this.manifests = `${prefixOf(options)}manifests/`;
    this.filesOfAll = `${prefixOf(options)}files/`;
  }

  /** Closes idle connections. */
  close(): void {
    this.bucket.client.destroy();
  }

  async write(
    body: Body,
    number: number,
    content: AsyncIterable<Uint8Array>,
    options: WriteOptions,
  ): Promise<void> {
    await uploadObject(this.bucket, this.folderOf(body) + String(number), content, options);
  }

  async read(
    body: Body,
    number: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array> | undefined> {
    return readObject(this.bucket, this.folderOf(body) + String(number), signal);
  }

  async *files(body: Body, signal: AbortSignal): AsyncGenerator<{ number: number; bytes: number }> {
    const folder = this.folderOf(body);
    for await (const { key, bytes } of this.bucket.objects(folder, signal)) {
      const number = parseFileNumber(key.slice(folder.length));
      if (number !== undefined) yield { number, bytes };
    }
  }

  async publish(body: Body, manifest: Uint8Array, signal: AbortSignal): Promise<void> {
    try {
      await this.put(body.archiveId, manifest, signal, true);
    } catch (error) {
      if (isAnswer(error, 'NotImplemented')) return this.publishUnconditionally(body, manifest, signal);
      if (!isAnswer(error, 'PreconditionFailed', 'ConditionalRequestConflict')) throw error;
      // An answer that was lost and asked for again is refused for what it has done itself.
      const there = await this.manifest(body.archiveId, manifest.length, signal).catch(() => undefined);
      if (there === undefined || Buffer.compare(there, manifest) !== 0)
        throw new SnapshotStoreError('archive_exists', { archiveId: body.archiveId });
    }
  }

  async manifest(archiveId: string, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined> {
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

  async *published(after: string | undefined, signal: AbortSignal): AsyncGenerator<string> {
    const from = after === undefined ? undefined : this.manifests + after;
    for await (const { key } of this.bucket.objects(this.manifests, signal, from)) {
      const name = key.slice(this.manifests.length);
      if (isArchiveId(name)) yield name;
    }
  }

  async withdraw(archiveId: string, signal: AbortSignal): Promise<void> {
    await this.bucket.delete(this.manifests + archiveId, signal);
  }

  async *bodies(archiveId: string | undefined, signal: AbortSignal): AsyncGenerator<Body> {
    const prefix = archiveId === undefined ? this.filesOfAll : `${this.filesOfAll}${archiveId}.`;
    const names = new Set<string>();
    for await (const name of this.bucket.folders(prefix, signal)) names.add(name);
    for await (const { key } of this.bucket.uploads(prefix, signal))
      names.add(key.slice(this.filesOfAll.length).split('/', 1)[0] ?? '');
    for (const name of names) {
      const body = parseBodyName(name);
      if (body !== undefined) yield body;
    }
  }

  async lastChange(body: Body, signal: AbortSignal): Promise<Date | undefined> {
    const folder = this.folderOf(body);
    let latest: Date | undefined;
    const see = (instant: Date): void => {
      if (latest === undefined || instant > latest) latest = instant;
    };
    for await (const { changedAt } of this.bucket.objects(folder, signal)) see(changedAt);
    for await (const { begunAt } of this.bucket.uploads(folder, signal)) see(begunAt);
    return latest;
  }

  async discard(body: Body, signal: AbortSignal): Promise<void> {
    const folder = this.folderOf(body);
    await forAll(this.bucket.uploads(folder, signal), REMOVALS_AT_ONCE, ({ key, uploadId }) =>
      abortUpload(this.bucket, key, uploadId, signal),
    );
    await forAll(this.bucket.objects(folder, signal), REMOVALS_AT_ONCE, ({ key }) =>
      this.bucket.delete(key, signal),
    );
  }

  /** For servers without conditions: two that publish at the same moment may both believe they did. */
  private async publishUnconditionally(body: Body, manifest: Uint8Array, signal: AbortSignal): Promise<void> {
    const { archiveId } = body;
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
    await this.bucket.ask(signal, () => this.bucket.client.send(command, { abortSignal: signal }));
  }

  private folderOf(body: Body): string {
    return `${this.filesOfAll}${bodyName(body)}/`;
  }
}
