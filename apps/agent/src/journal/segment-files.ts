import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
 */
export async function readSegment({ path, number }: SegmentFile): Promise<SegmentLine[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.flatMap((text, i) => {
    const content = parseLine(text);
    const isCutOff = i === lines.length - 1 && content === undefined;
    if (text === '' || isCutOff) return [];
    return [{ segment: number, line: i + 1, content, mayBeEvent: mayBeEvent(text) }];
  });
}

export async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size;
}
