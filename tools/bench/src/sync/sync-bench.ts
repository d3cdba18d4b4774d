import { partFilter, withStack } from '../bench-environment.js';
import { benchCopy, type CopyBenchResult } from './copy-bench.js';
import { benchMemory, type MemoryBenchResult } from './memory-bench.js';
import { benchSmallTables, type SmallTablesResult } from './small-tables.js';

export const SYNC_PARTS = ['copy', 'tables', 'memory'] as const;

type SyncPart = (typeof SYNC_PARTS)[number];

/** Results by part. Parts that were not run are absent. */
export interface SyncBenchResult {
  readonly copy?: CopyBenchResult;
  readonly tables?: SmallTablesResult;
  readonly memory?: MemoryBenchResult;
}

export interface SyncBenchOptions {
  readonly rows: number;
  readonly rounds: number;
  /** Part to run. Default: every part. */
  readonly only?: SyncPart;
}

/** Runs the parts, each on a fresh stack. */
export async function benchSync({ rows, rounds, only }: SyncBenchOptions): Promise<SyncBenchResult> {
  const wanted = partFilter(only);
  return {
    ...(wanted('copy') && { copy: await withStack((stack) => benchCopy(stack, rows, rounds)) }),
    ...(wanted('tables') && { tables: await withStack((stack) => benchSmallTables(stack, rounds)) }),
    ...(wanted('memory') && { memory: await withStack((stack) => benchMemory(stack, rows)) }),
  };
}
