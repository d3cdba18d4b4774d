import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stackDown, type StackInfo, type StackOptions, stackUp } from '@understudy/stack';

/** Prints a line on stderr, because stdout is for the result. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Results by part. Parts that were not run are absent. */
export type ResultsOf<Parts extends Record<string, (options: never) => unknown>> = {
  readonly [Part in keyof Parts]?: Awaited<ReturnType<Parts[Part]>>;
};

/** Runs the parts in their order, or `only` one of them. It prints the name of each part that it runs. */
export async function runParts<Options, Parts extends Record<string, (options: Options) => unknown>>(
  parts: Parts,
  options: Options,
  only: string | undefined,
): Promise<ResultsOf<Parts>> {
  const results: Record<string, unknown> = {};
  for (const [part, run] of Object.entries(parts)) {
    if (only !== undefined && part !== only) continue;
    log(`part: ${part}`);
    results[part] = await run(options);
  }
  return results as ResultsOf<Parts>;
}

/** Starts the agent of a running stack again, with databases that jobs can name. */
export type OfferDatabases = (
  options: Pick<StackOptions, 'agentSettings' | 'offerDatabases'>,
) => Promise<StackInfo>;

/** Starts a private stack, runs the work and stops the stack. */
export async function withStack<T>(
  work: (stack: StackInfo, offer: OfferDatabases) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'understudy-bench-'));
  try {
    const stack = await stackUp({ dataDir, settings });
    return await work(stack, (options) => stackUp({ dataDir, settings, ...options }));
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
