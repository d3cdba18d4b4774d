/**
 * One attempt to write an archive. Its files have their own folder and keys. If an archive has several
 * attempts, its manifest contains the id of the valid attempt.
 */
export interface ArchiveAttempt {
  readonly archiveId: string;
  /** 16 random bytes as 32 hex digits. */
  readonly attemptId: string;
}

const ARCHIVE_ID = '[A-Za-z0-9][A-Za-z0-9_-]{0,63}';
const WHOLE_ARCHIVE_ID = new RegExp(`^${ARCHIVE_ID}$`);
const ATTEMPT_NAME = new RegExp(`^(${ARCHIVE_ID})\\.([0-9a-f]{32})$`);

/**
 * @returns whether a name is an archive id. Ids are safe as part of a path or key: they contain no separator,
 * dot or line feed
 */
export function isArchiveId(name: string): boolean {
  return WHOLE_ARCHIVE_ID.test(name);
}

/** @returns the name of the attempt's folder, `<archive id>.<attempt id>`; ids contain no dot */
export function attemptName({ archiveId, attemptId }: ArchiveAttempt): string {
  return `${archiveId}.${attemptId}`;
}

/**
 * Parses the name of an attempt's folder.
 * @returns undefined if the name is not that of an attempt's folder. The store never changes other folders
 */
export function parseAttemptName(name: string): ArchiveAttempt | undefined {
  const [, archiveId, attemptId] = ATTEMPT_NAME.exec(name) ?? [];
  return archiveId === undefined || attemptId === undefined ? undefined : { archiveId, attemptId };
}

/** @returns undefined if the name is not the number of a file */
export function parseFileNumber(name: string): number | undefined {
  return /^(0|[1-9][0-9]{0,8})$/.test(name) ? Number(name) : undefined;
}
