import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { ROOT } from '../support/languages.js';
import type { Fence } from './page-snippets.js';
import { PROGRAMS, type SnippetCall } from './snippet-programs.js';

/** curl and the languages of the clients. */
export const LANGUAGES = [
  { name: 'curl', fence: 'sh', toolchain: undefined },
  { name: 'TypeScript', fence: 'ts', toolchain: undefined },
  { name: 'Python', fence: 'python', toolchain: 'python-client' },
  { name: 'PHP', fence: 'php', toolchain: 'php-client' },
  { name: 'Go', fence: 'go', toolchain: 'go' },
] as const;

/**
 * Runs the snippets of one language in a folder of their own, which contains the file that examples upload.
 * @returns what the program printed, and its exit code if that is not 0. Empty if all snippets succeeded
 */
export async function runSnippets(
  fence: Fence,
  calls: readonly SnippetCall[],
  setup: string,
  token: string,
): Promise<string> {
  const program = PROGRAMS[fence](calls, setup);
  const folder = mkdtempSync(join(tmpdir(), 'understudy-snippets-'));
  try {
    for (const [path, text] of Object.entries({ ...program.files, 'street-names.ngram': 'a model' })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    for (const [path, target] of Object.entries(program.links ?? {})) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      symlinkSync(join(ROOT, target), join(folder, path));
    }
    const env = { ...process.env, ...program.environment, UNDERSTUDY_API_TOKEN: token };
    const options = { cwd: folder, env, maxBuffer: 1 << 26 };
    return await new Promise((resolve) => {
      execFile('sh', ['-c', program.command], options, (error, stdout, stderr) =>
        resolve(
          `${stdout}${stderr}${error ? `the program ended with the exit code ${String(error.code)}` : ''}`,
        ),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
