/** Where the files of one making of one archive lie. Which of several makings counts is said by the manifest. */
export interface Body {
  readonly archiveId: string;
  /** 32 hex digits. */
  readonly attempt: string;
}

export interface WriteOptions {
  /** How much will come, when it is known: lets a bucket choose the size of parts. */
  readonly expectedBytes: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Where archives are kept: bytes under ids and numbers that the store has checked. It knows nothing of keys and content. Everything that
 * fails, fails as a SnapshotStoreError or as the signal's reason.
 */
export interface ArchivePlace {
  /** Writes one file of a body, durably once {@link publish} has returned. Leaves nothing behind when it fails. Reads `content` only as fast as it writes. */
  write(body: Body, number: number, content: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<void>;
  /** @returns undefined if there is no such file; content is read as it is consumed and let go of when the consumer returns early */
  read(body: Body, number: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Sizes of the files of a body that were written whole, in any order. */
  files(body: Body, signal: AbortSignal): AsyncIterable<{ readonly number: number; readonly bytes: number }>;
  /**
   * Makes the body an archive: whole or not at all, and when it returns neither manifest nor files go away with the machine's power.
   * @throws SnapshotStoreError `archive_exists` if there is a manifest of that id
   */
  publish(body: Body, manifest: Uint8Array, signal: AbortSignal): Promise<void>;
  /** @returns undefined if there is none @throws SnapshotStoreError `archive_damaged` if it has more bytes than `limit` */
  manifest(archiveId: string, limit: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Ids that have a manifest, sorted, those after `after` alone. */
  published(after: string | undefined, signal: AbortSignal): AsyncIterable<string>;
  /** Removes a manifest; durably, before it returns. Nothing if there is none. */
  withdraw(archiveId: string, signal: AbortSignal): Promise<void>;
  /** Bodies of which anything is there, unfinished files too; of one archive or of all. */
  bodies(archiveId: string | undefined, signal: AbortSignal): AsyncIterable<Body>;
  /** When something was last written to it. */
  lastChange(body: Body, signal: AbortSignal): Promise<Date | undefined>;
  /** Removes a body with all that is there of it. Nothing if there is none. */
  discard(body: Body, signal: AbortSignal): Promise<void>;
}

/** The name of a body where places have names: `<archive id>.<attempt>`; ids hold no dot. */
export function bodyName(body: Body): string {
  return `${body.archiveId}.${body.attempt}`;
}

const ARCHIVE_ID = '[A-Za-z0-9][A-Za-z0-9_-]{0,63}';
const WHOLE_ARCHIVE_ID = new RegExp(`^${ARCHIVE_ID}$`);
const BODY_NAME = new RegExp(`^(${ARCHIVE_ID})\\.([0-9a-f]{32})$`);

/** Part of a path and of a key: no separator, no dot, no line feed. */
export function isArchiveId(name: string): boolean {
  return WHOLE_ARCHIVE_ID.test(name);
}

/** @returns undefined for what is not the name of a body: it is not ours and is left alone */
export function parseBodyName(name: string): Body | undefined {
  const [, archiveId, attempt] = BODY_NAME.exec(name) ?? [];
  return archiveId === undefined || attempt === undefined ? undefined : { archiveId, attempt };
}

/** @returns undefined for what is not the number of a file */
export function parseFileNumber(name: string): number | undefined {
  return /^(0|[1-9][0-9]{0,8})$/.test(name) ? Number(name) : undefined;
}
