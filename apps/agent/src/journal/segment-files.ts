import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigurationError } from '../config/environment.js';
import type { SegmentLine } from './damaged-lines.js';
import { mayBeEvent, parseLine } from './parse-line.js';

/** The file of a segment. */
export interface SegmentFile {
  readonly number: number;
  readonly path: string;
}

export function journalFolder(stateDir: string): string {
  return join(stateDir, 'journal');
}

/** Returns the segment files, oldest first. */
export async function listSegments(folder: string): Promise<SegmentFile[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => {
      const number = /^(\d{10})\.ndjson$/.exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), path: join(folder, name) }];
    })
    .sort((a, b) => a.number - b.number);
}

/** Returns the name of a segment's file. */
export function segmentName(number: number): string {
  return `${String(number).padStart(10, '0')}.ndjson`;
}

/** Creates the segment for writing; fails if it exists. */
export async function createSegment(folder: string, number: number) {
  const path = join(folder, segmentName(number));
  return { path, file: await open(path, 'ax', 0o600) };
}

/** Resolves when the entries of the folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}

/**
 * Reads the lines of a segment. Skips an incomplete line at the end of the file: a crash interrupted its write. An
 * event in such a line was never sent, because an event is sent only after its line is on the disk.
 * @throws ConfigurationError if the file cannot be read
 */
export async function readSegment({ path, number }: SegmentFile): Promise<SegmentLine[]> {
  const lines = (await readText({ path, number })).split('\n');
  return lines.flatMap((text, i) => {
    const content = parseLine(text);
    const isCutOff = i === lines.length - 1 && content === undefined;
    if (text === '' || isCutOff) return [];
    return [{ segment: number, line: i + 1, content, mayBeEvent: mayBeEvent(text) }];
  });
}

async function readText({ path, number }: SegmentFile): Promise<string> {
  const refuse = (reason: string) =>
    new ConfigurationError('The journal cannot be read', [
      `journal/${segmentName(number)}: ${reason}. Give the agent's user access to the file, or restore it from a backup`,
    ]);
  try {
    const file = await stat(path);
    if (!file.isFile()) throw refuse('expected a file');
    if (file.size > MAX_READ_BYTES)
      throw refuse(`expected at most ${MAX_READ_BYTES} bytes, got ${file.size}`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw refuse((error as { code?: string }).code ?? 'unreadable');
  }
}

/** Below the largest text of Node.js. A segment is much smaller, unless a single event is large. */
const MAX_READ_BYTES = 500_000_000;

export async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}
