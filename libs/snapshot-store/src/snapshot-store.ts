import { randomBytes } from 'node:crypto';
import { ArchiveDraft } from './archive/archive-draft.js';
import { storedBytesOf, type ArchiveManifest } from './archive/archive-manifest.js';
import { checkArchiveId } from './archive/archive-names.js';
import { LARGEST_MANIFEST_BYTES, openManifest, type OpenedManifest } from './archive/manifest-envelope.js';
import { OpenArchive } from './archive/open-archive.js';
import { sweepUnfinished, type SweepOptions } from './archive/sweep-unfinished.js';
import { verifyFiles } from './archive/verify-files.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { inOrder } from './in-order.js';
import { bodyName, type ArchivePlace } from './place/archive-place.js';
import { ATTEMPT_BYTES } from './sealing/archive-keys.js';
import { SnapshotStoreError } from './store-error.js';
import { StoreKeys } from './store-keys.js';

export interface SnapshotStoreOptions {
  /** 32 random bytes, kept where the store is not. Who has it can read and forge archives; without it nobody can read them again. */
  readonly key: Uint8Array;
  /** Keys that sealed earlier archives: they open, and seal nothing. */
  readonly olderKeys?: readonly Uint8Array[];
  /** How many files are written at a time, over all drafts. Default 4. */
  readonly concurrency?: number;
}

export interface Cancellable {
  readonly signal?: AbortSignal;
}

export interface VerifyProgress {
  readonly bytes: number;
  readonly totalBytes: number;
}

/** An archive of the store, or why this agent can say nothing of it. Nothing is ever left out because it cannot be read. */
export type ListedArchive =
  | { readonly id: string; readonly manifest: ArchiveManifest; readonly storedBytes: number }
  | { readonly id: string; readonly problem: 'archive_damaged' | 'archive_key_mismatch' };

/**
 * Archives of files in a place that need not be trusted with their content: sealed under the agent's key, and found out when they were changed.
 * Whoever can write to the place can remove archives, or put back an older one of the same id; they cannot read or make one.
 * Several processes may use a place at once. Every operation fails with a {@link SnapshotStoreError}, or the reason of its signal.
 */
export class SnapshotStore {
  private readonly keys: StoreKeys;
  private readonly limit: ConcurrencyLimit;
  private readonly removals = new ConcurrencyLimit(REMOVALS_AT_ONCE);
  private readonly drafts = new Map<string, ArchiveDraft>();

  /** @throws RangeError if a key has not 32 bytes */
  constructor(
    private readonly place: ArchivePlace,
    options: SnapshotStoreOptions,
  ) {
    this.keys = new StoreKeys(options.key, options.olderKeys);
    this.limit = new ConcurrencyLimit(options.concurrency ?? DEFAULT_CONCURRENCY);
  }

  /**
   * Begins an archive. What an earlier attempt at the same id left behind is not touched and not in the way.
   * @param id 1 to 64 letters, digits, `-` and `_`, first a letter or digit
   * @throws `archive_exists` if there is one of this id, or this process is making it; `name_invalid`
   */
  async begin(id: string, { signal = never() }: Cancellable = {}): Promise<ArchiveDraft> {
    checkArchiveId(id);
    if (this.draftsOf(id).length > 0) throw new SnapshotStoreError('archive_exists', { archiveId: id });
    const body = { archiveId: id, attempt: randomBytes(ATTEMPT_BYTES).toString('hex') };
    const forget = (): boolean => this.drafts.delete(bodyName(body));
    const draft = new ArchiveDraft(body, this.place, this.keys.current, this.limit, forget);
    this.drafts.set(bodyName(body), draft);
    try {
      if ((await this.place.manifest(id, LARGEST_MANIFEST_BYTES, signal)) !== undefined)
        throw new SnapshotStoreError('archive_exists', { archiveId: id });
    } catch (error) {
      forget();
      throw error;
    }
    return draft;
  }

  /** Archives sorted by id. Read as they are consumed: thousands cost no memory. @param options.after leaves out this id and those before it */
  async *list(options: Cancellable & { readonly after?: string } = {}): AsyncGenerator<ListedArchive> {
    const signal = options.signal ?? never();
    const found = inOrder(this.place.published(options.after, signal), MANIFESTS_AT_ONCE, (id) =>
      this.listed(id, signal),
    );
    for await (const archive of found) if (archive !== undefined) yield archive;
  }

  /** @throws `archive_not_found`, `archive_damaged`, `archive_key_mismatch`, `name_invalid` */
  async open(id: string, { signal = never() }: Cancellable = {}): Promise<OpenArchive> {
    return new OpenArchive(await this.find(id, signal), this.place);
  }

  /**
   * Reads every stored byte and compares it with what was written, without opening it. Do it before a restore begins.
   * @param options.onProgress called as bytes are read, with figures of the stored bytes
   * @throws `archive_damaged` with the first file of the manifest that is not as it was stored; else as {@link open}
   */
  async verify(
    id: string,
    options: Cancellable & { readonly onProgress?: (progress: VerifyProgress) => void } = {},
  ): Promise<ArchiveManifest> {
    const signal = options.signal ?? never();
    const { manifest, attempt } = await this.find(id, signal);
    const totalBytes = storedBytesOf(manifest);
    let bytes = 0;
    await verifyFiles(this.place, { archiveId: id, attempt }, manifest.files, signal, (more) => {
      bytes += more;
      options.onProgress?.({ bytes, totalBytes });
    });
    return manifest;
  }

  /** What the archive's files take in the store. @throws as {@link open} */
  async sizeOf(id: string, { signal = never() }: Cancellable = {}): Promise<number> {
    return storedBytesOf((await this.find(id, signal)).manifest);
  }

  /**
   * Removes an archive, its manifest first: from then on it is not there, and what is left if this does not come to its end is swept.
   * Needs no key, and removes damaged ones too. Aborts this process's draft of the id. Nothing if there is none.
   */
  async remove(id: string, { signal = never() }: Cancellable = {}): Promise<void> {
    checkArchiveId(id);
    for (const draft of this.draftsOf(id)) await draft.abort();
    await this.removals.run(signal, async () => {
      await this.place.withdraw(id, signal);
      for await (const body of this.place.bodies(id, signal)) await this.place.discard(body, signal);
    });
  }

  /** Ids that begin so and of which anything is there: archives, and what unfinished or removed ones left. In no order. */
  async *ids(prefix: string, { signal = never() }: Cancellable = {}): AsyncGenerator<string> {
    const found = new Set<string>();
    for await (const id of this.place.published(undefined, signal)) if (id.startsWith(prefix)) found.add(id);
    for await (const { archiveId } of this.place.bodies(undefined, signal))
      if (archiveId.startsWith(prefix)) found.add(archiveId);
    yield* found;
  }

  /**
   * Removes what archives that were never finished, or never quite removed, left behind. Drafts of this process are left alone.
   * @returns how many it removed
   */
  async sweepUnfinished(options: SweepOptions): Promise<number> {
    return sweepUnfinished(this.place, (body) => this.drafts.has(bodyName(body)), options);
  }

  private draftsOf(id: string): ArchiveDraft[] {
    return [...this.drafts.values()].filter(({ body }) => body.archiveId === id);
  }

  private async find(id: string, signal: AbortSignal): Promise<OpenedManifest> {
    checkArchiveId(id);
    const bytes = await this.place.manifest(id, LARGEST_MANIFEST_BYTES, signal);
    if (bytes === undefined) throw new SnapshotStoreError('archive_not_found', { archiveId: id });
    return openManifest(bytes, id, this.keys);
  }

  private async listed(id: string, signal: AbortSignal): Promise<ListedArchive | undefined> {
    try {
      const { manifest } = await this.find(id, signal);
      return { id, manifest, storedBytes: storedBytesOf(manifest) };
    } catch (error) {
      if (!(error instanceof SnapshotStoreError)) throw error;
      if (error.code === 'archive_not_found') return undefined; // removed since its id was read
      if (error.code === 'archive_damaged' || error.code === 'archive_key_mismatch')
        return { id, problem: error.code };
      throw error;
    }
  }
}

const DEFAULT_CONCURRENCY = 4;
const MANIFESTS_AT_ONCE = 4;
const REMOVALS_AT_ONCE = 4;

function never(): AbortSignal {
  return new AbortController().signal;
}
