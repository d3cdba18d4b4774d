import { createCipheriv, createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  SnapshotStore,
  SnapshotStoreError,
  type ArchiveDescription,
  type ArchiveManifest,
  type StorageBackend,
} from '../../src/index.js';

export const KEY = Buffer.alloc(32, 7);

export const DESCRIPTION: ArchiveDescription = {
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  expiresAt: new Date('2026-02-01T03:04:05.678Z'),
  database: 'shop „ü“',
  serverVersion: '15.14',
  tables: [{ schema: 'public', name: 'customer', bytes: 81_920 }],
  attributes: { pg_dump: '15.14' },
};

export type Files = Readonly<Record<string, Uint8Array>>;

export function storeOf(
  under: StoreUnderTest,
  key: Uint8Array = KEY,
  olderKeys: readonly Uint8Array[] = [],
  concurrency = 4,
): SnapshotStore {
  return new SnapshotStore(under.backend, { key, olderKeys, concurrency });
}

export async function archiveOf(store: SnapshotStore, id: string, files: Files): Promise<ArchiveManifest> {
  const draft = await store.begin(id);
  await Promise.all(Object.entries(files).map(([name, bytes]) => draft.write(name, streamOf(bytes))));
  return draft.finish(DESCRIPTION);
}

export async function contentOf(store: SnapshotStore, id: string): Promise<Record<string, Buffer>> {
  const archive = await store.open(id);
  const content: Record<string, Buffer> = {};
  for (const { name } of archive.manifest.files) content[name] = await buffer(archive.read(name));
  return content;
}

/** Streams bytes in pieces whose length is unrelated to the block size. */
export function streamOf(bytes: Uint8Array, step = 10_007): Readable {
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += step) yield Buffer.from(bytes.subarray(at, at + step));
  };
  return Readable.from(pieces(), { objectMode: false });
}

/** @returns pseudo-random bytes that are the same in each run */
export function bytesOf(length: number, seed = 0): Buffer {
  const iv = createHash('sha256').update(`${seed}`).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), iv).update(Buffer.alloc(length));
}

/** @returns lengths and digests by name, because a failed comparison of megabytes takes too long to print */
export function digestsOf(files: Files): Record<string, string> {
  const digest = (bytes: Uint8Array) => `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, digest(bytes)]));
}

export async function idsOf(store: SnapshotStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list()) ids.push(id);
  return ids;
}

/**
 * Waits for an operation of a store.
 * @returns the code and the damage of the SnapshotStoreError, or undefined if the operation succeeds
 * @throws any other error of the operation
 */
export async function failureOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!(error instanceof SnapshotStoreError)) throw error;
    return error.details.damage === undefined ? error.code : `${error.code} ${error.details.damage}`;
  }
}

/**
 * A new, empty storage backend, with access to the stored files that bypasses the store. Keys are
 * `manifests/…` and `files/…`.
 */
export interface StoreUnderTest {
  readonly backend: StorageBackend;
  keys(): Promise<string[]>;
  get(key: string): Promise<Buffer>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  delete(key: string): Promise<void>;
}

export type MakeStore = () => Promise<StoreUnderTest>;
