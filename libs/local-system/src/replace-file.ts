import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that only its owner can read. Replaces an existing file in one step, so that a crash or a full disk
 * leaves either the old or the new text.
 * @param path the file, whose folder exists
 * @param text its new content, written as UTF-8
 * @throws the error of the file system; the file then has its old text
 */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    chmodSync(draft, 0o600); // a draft that a crash left behind keeps its mode
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
