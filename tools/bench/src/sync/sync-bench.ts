import { runParts, withStack } from '../bench-environment.js';
import { type AcceptSize, benchAccept } from './accept-bench.js';
import { benchCopy } from './copy-bench.js';
import { benchMemory } from './memory-bench.js';
import { benchSmallTables } from './small-tables.js';

interface Size extends AcceptSize {
  readonly rows: number;
}

/** The parts, each on a fresh stack. */
const PARTS = {
  copy: ({ rows, rounds }: Size) => withStack((stack) => benchCopy(stack, rows, rounds)),
  tables: ({ rounds }: Size) => withStack((stack) => benchSmallTables(stack, rounds)),
  accept: (size: Size) => withStack((stack, offer) => benchAccept(stack, offer, size)),
  memory: ({ rows }: Size) => withStack((stack) => benchMemory(stack, rows)),
};

export const SYNC_PARTS = Object.keys(PARTS);
export type SyncBenchResult = Awaited<ReturnType<typeof benchSync>>;

/** Runs the parts one after the other. @param size.only the part to run; by default, every part runs */
export async function benchSync(size: Size & { readonly only?: string }) {
  return runParts(PARTS, size, size.only);
}
