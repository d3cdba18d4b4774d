import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

/**
 * Lists the files of a client as git would commit them now, so that files of builds and caches are left out.
 * @param language a folder in `clients/`
 * @returns paths relative to that folder, sorted
 */
export function sourcesOf(language: string): string[] {
  const folder = join(ROOT, 'clients', language);
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\0');
  return [...new Set(names)].filter((name) => name !== '' && existsSync(join(folder, name))).sort();
}

/**
 * Copies the files of a client into a new folder, because the programs that pack it write into its folder. For
 * TypeScript, copies also the built files.
 */
export function copySources(language: string, into: string): void {
  const built = join(ROOT, 'clients', language, 'dist');
  if (language === 'typescript') cpSync(built, join(into, 'dist'), { recursive: true });
  for (const name of sourcesOf(language)) {
    mkdirSync(dirname(join(into, name)), { recursive: true });
    cpSync(join(ROOT, 'clients', language, name), join(into, name));
  }
}
