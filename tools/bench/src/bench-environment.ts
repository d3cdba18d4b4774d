import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stackDown, type StackInfo, stackUp } from '@understudy/stack';

/** Prints a line on stderr, because stdout is for the result. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

/**
 * Returns a filter for the parts to run, which accepts all parts if `only` is undefined. It prints the name
 * of each part that it accepts.
 */
export function partFilter<Part extends string>(only: Part | undefined): (part: Part) => boolean {
  return (part) => {
    const isWanted = only === undefined || part === only;
    if (isWanted) log(`part: ${part}`);
    return isWanted;
  };
}

/** Starts a private stack, runs the work and stops the stack. */
export async function withStack<T>(
  work: (stack: StackInfo) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'understudy-bench-'));
  try {
    return await work(await stackUp({ dataDir, settings }));
  } finally {
    await stackDown({ dataDir });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Creates an empty folder, runs the work and removes the folder. @param name part of the folder's name */
export async function withFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `understudy-${name}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
