import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const WINDOW_BYTES = 64 * 1024;

/** @returns the last lines of a file, indented; empty when it cannot be read. Reads at most 64 KiB. */
export function logTail(file: string, lines: number): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const size = fstatSync(descriptor).size;
      const window = Buffer.alloc(Math.min(size, WINDOW_BYTES));
      const read = readSync(descriptor, window, 0, window.length, size - window.length);
      const text = window.toString('utf8', 0, read).trimEnd();
      return text === ''
        ? ''
        : text
            .split('\n')
            .slice(-lines)
            .map((line) => `  ${line}`)
            .join('\n');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return ''; // no log was written yet: the message goes without it
  }
}
