import type { LocatedProblem } from '@understudy/sync-job/job-file';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { asFileError, CliError, fileError } from '../../cli-error.js';
import { environment } from '../../config/environment.js';
import { EXIT } from '../../exit-code.js';
import { printWarning } from '../../terminal/messages.js';
import type { JobFile } from './job-file.js';
import { parseJobFile } from './parse-job-file.js';

/** The largest body of a request for a sync job. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The number of problems to print. */
const SHOWN = 100;

/**
 * Reads the job file of a command and prints its warnings on stderr.
 * @param file the path as the user wrote it
 * @throws CliError with the problems of the file, each with its line and column
 */
export async function readJobFile(
  file: string,
  options: {
    readonly source?: string | undefined;
    readonly target?: string | undefined;
    readonly nowMs: number;
  },
): Promise<JobFile> {
  const bytes = await readFile(file).catch(asFileError(file));
  if (bytes.length > MAX_BYTES) throw fileError(file, `expected at most ${MAX_BYTES / 1024 / 1024} MiB`);
  const text = decode(bytes, file);
  const folder = dirname(resolve(file));
  const parsed = await parseJobFile(text, { ...options, folder, environment: environment() });
  if ('job' in parsed) {
    for (const warning of parsed.warnings) printWarning(lineOf(warning, text, file));
    return parsed.job;
  }
  const lines = parsed.problems.slice(0, SHOWN).map((problem) => lineOf(problem, text, file));
  const more = parsed.problems.length - lines.length;
  throw new CliError(
    EXIT.refused,
    [...lines, ...(more > 0 ? [`… and ${more} more problems`] : [])].join('\n'),
  );
}

function lineOf({ field, message, offset }: LocatedProblem, text: string, file: string): string {
  // A problem of an option has no position in the file.
  if (field.startsWith('--')) return `${field}: ${message}`;
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  return `${file}:${line}:${column}: ${field === '' ? '' : `${field}: `}${message}`;
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fileError(file, 'expected text in UTF-8');
  }
}
