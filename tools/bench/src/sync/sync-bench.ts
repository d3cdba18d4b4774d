import type { StackInfo } from '@understudy/stack';

import { benchCopy, type CopyBenchResult } from './copy-bench.js';
import { benchMemory, type MemoryBenchResult } from './memory-bench.js';
import { benchSmallTables, type SmallTablesResult } from './small-tables.js';

export const SYNC_PARTS = ['copy', 'tables', 'memory'] as const;

export type SyncPart = (typeof SYNC_PARTS)[number];

/** Keys of the parts that were run. */
export interface SyncBenchResult {
  readonly copy?: CopyBenchResult;
  readonly tables?: SmallTablesResult;
  readonly memory?: MemoryBenchResult;
}

export interface SyncBenchOptions {
  readonly parts: readonly SyncPart[];
  readonly rows: number;
  readonly rounds: number;
  readonly psql: string;
  /** Gives a running stack to `work`: a fresh one for each part. */
  readonly withStack: <T>(work: (stack: StackInfo) => Promise<T>) => Promise<T>;
  readonly say: (text: string) => void;
}

export async function benchSync(options: SyncBenchOptions): Promise<SyncBenchResult> {
  const { parts, withStack, say } = options;
  const wanted = (part: SyncPart): boolean => {
    if (parts.includes(part)) say(`part: ${part}`);
    return parts.includes(part);
  };
  return {
    ...(wanted('copy') && { copy: await withStack((stack) => benchCopy(stack, options)) }),
    ...(wanted('tables') && { tables: await withStack((stack) => benchSmallTables(stack, options)) }),
    ...(wanted('memory') && { memory: await withStack((stack) => benchMemory(stack, options)) }),
  };
}
