import type { ArchivePlace } from '../../src/index.js';

/** A place of its own, and a way to what lies in it that the store does not know of. Keys are `manifests/…` and `files/…`. */
export interface StoreUnderTest {
  readonly place: ArchivePlace;
  keys(): Promise<string[]>;
  get(key: string): Promise<Buffer>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  delete(key: string): Promise<void>;
}

export type MakeStore = () => Promise<StoreUnderTest>;
