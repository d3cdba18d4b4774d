import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { asFileError, fileError } from '../../cli-error.js';
import { writeFileWhole } from '../../io/output-file.js';
import type { StateFolder } from './state-folder.js';

/** The record of a job file's last run: the settings that a resumed run needs, and the result. */
export interface RunRecord {
  readonly format: 1;
  readonly jobId: string;
  /** The number of the run's last attempt, from 1. */
  readonly epoch: number;
  readonly seed: number;
  readonly referenceInstantMs: number;
  readonly startedAt: string;
  /** `open` means that the run did not finish and can be resumed. */
  readonly state: 'open' | 'completed' | 'failed';
  /** The last run that completed, this one or an earlier one. The target contains its rows. */
  readonly completed?: CompletedRun;
  /** The database that a run has replaced and kept. */
  readonly kept?: KeptRecord;
}

export interface KeptRecord {
  /** The target's URL without its password. */
  readonly target: string;
  /** The id of the run or revert that changed the target last. */
  readonly lastChange: string;
  /** Whether the target has the content that it had before the run. */
  readonly isReverted: boolean;
  /** The id of a revert that has begun. */
  readonly reverting?: string;
}

/** The facts about a completed run that a verification needs. */
export interface CompletedRun {
  /** The target's URL without its password. The facts apply only to this target. */
  readonly target: string;
  readonly seed: number;
  readonly referenceInstantMs: number;
  /** The number of copied rows, by the name of the table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The fingerprint of everything that determines masked values, from `masksFingerprint` of the engine. */
  readonly masks: string;
}

export function newRun(settings: Pick<RunRecord, 'seed' | 'referenceInstantMs'>, now: Date): RunRecord {
  const jobId = `cli_${randomBytes(10).toString('hex')}`;
  return { format: 1, jobId, epoch: 1, ...settings, startedAt: now.toISOString(), state: 'open' };
}

/** Returns the path of a job file's run record. The lock file has the same path with the suffix `.lock`. */
export function recordPath(folder: StateFolder, jobFile: string): string {
  const name = createHash('sha256').update(resolve(jobFile)).digest('hex').slice(0, 24);
  return join(folder.path, 'jobs', `${name}.json`);
}

/**
 * Reads a run record.
 * @returns undefined if the job file has never been run
 * @throws CliError if the record cannot be read or has an unknown format
 */
export async function readRunRecord(path: string): Promise<RunRecord | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return asFileError(path)(error);
  });
  if (text === undefined) return undefined;
  const record = parse(text);
  if (!isRunRecord(record))
    throw fileError(
      path,
      'expected a run record of this version: delete the file and run the job without --resume',
    );
  return record;
}

export function writeRunRecord(path: string, record: RunRecord): Promise<void> {
  return writeFileWhole(path, new TextEncoder().encode(`${JSON.stringify(record, undefined, 2)}\n`));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRunRecord(value: unknown): value is RunRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { format, jobId, epoch, seed, referenceInstantMs, state, completed, kept } =
    value as Partial<RunRecord>;
  return (
    format === 1 &&
    typeof jobId === 'string' &&
    /^cli_[0-9a-f]{20}$/.test(jobId) &&
    [epoch, seed, referenceInstantMs].every(Number.isSafeInteger) &&
    (state === 'open' || state === 'completed' || state === 'failed') &&
    (completed === undefined || isCompletedRun(completed)) &&
    (kept === undefined || isKeptRecord(kept))
  );
}

function isKeptRecord(value: unknown): value is KeptRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { target, lastChange, isReverted, reverting } = value as Partial<KeptRecord>;
  return (
    typeof target === 'string' &&
    isChange(lastChange) &&
    typeof isReverted === 'boolean' &&
    (reverting === undefined || isChange(reverting))
  );
}

function isChange(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z]{3}_[0-9a-f]{20,26}$/.test(value);
}

function isCompletedRun(value: unknown): value is CompletedRun {
  if (typeof value !== 'object' || value === null) return false;
  const { target, seed, referenceInstantMs, rows, masks } = value as Partial<CompletedRun>;
  return (
    [seed, referenceInstantMs].every(Number.isSafeInteger) &&
    typeof target === 'string' &&
    typeof masks === 'string' &&
    typeof rows === 'object' &&
    Object.values(rows).every(Number.isSafeInteger)
  );
}
