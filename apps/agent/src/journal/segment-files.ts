import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { JournalLine } from './journal-entry.js';

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

/** Creates the segment for writing; fails if it exists. */
export async function createSegment(folder: string, number: number) {
  const path = join(folder, `${String(number).padStart(10, '0')}.ndjson`);
  return { path, file: await open(path, 'ax', 0o600) };
}

/** Resolves when the entries of the folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r');
  await directory.sync().finally(() => directory.close());
}

/**
 * Reads the lines of a segment. Skips lines that are not valid JSON: a crash interrupted the write of such a
 * line. An event in such a line was never sent, because an event is sent only after its line is on the disk.
 */
export async function readSegment(path: string): Promise<JournalLine[]> {
  const text = await readFile(path, 'utf8');
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as JournalLine];
    } catch {
      return [];
    }
  });
}

export async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}
