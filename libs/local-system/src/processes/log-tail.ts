import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const WINDOW_BYTES = 64 * 1024;

/**
 * Reads the last lines of a log, from at most its last 64 KiB.
 * @returns the lines, indented; empty if the file cannot be read
 */
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
    return ''; // no log has been written yet, so the message has none
  }
}
