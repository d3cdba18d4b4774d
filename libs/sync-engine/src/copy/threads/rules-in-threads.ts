import type { Chunk } from '../plan-chunks.js';
import type { TableMasks } from '../../plan/keys/finalize-unique.js';
import type { SyncSettings } from '../../environment.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { MaskingJob } from './masking-messages.js';

/** What a thread needs to know to mask rows of those tables whose rules it can compile by itself. */
export interface RulesApart {
  readonly job: MaskingJob;
  /** By index. */
  readonly tables: ReadonlySet<number>;
}

/** Rules of one table before and after the job's keys have had their say. */
export interface RulesOfTable {
  readonly plan: TablePlan;
  readonly compiled: TableMasks;
  readonly settled: TableMasks;
  /** Some of its values are drawn from a model that was trained on this machine. */
  readonly isPrivate: boolean;
}

/**
 * Tables whose rules another thread can compile from what the job says, and gets the same: what keys and unique values have made of them
 * is known here alone, and private models are read here alone. @returns table indexes
 */
export function compilableApart(tables: readonly RulesOfTable[]): ReadonlySet<number> {
  return new Set(
    tables.flatMap(({ plan, compiled, settled, isPrivate }) => {
      const isAsCompiled = [...settled].every(([name, mask]) => mask === compiled.get(name));
      return settled.size > 0 && isAsCompiled && !isPrivate ? [plan.index] : [];
    }),
  );
}

/** A thread takes some tenths of a second to start and to become quick. */
const WORTH_A_THREAD_BYTES = 16_000_000;

/** Those with so much to copy that a thread is worth its start. @param chunks those that are left */
export function maskedApart(
  tables: ReadonlySet<number>,
  chunks: readonly Chunk[],
  { maskingThreads = 0, threadFromBytes = WORTH_A_THREAD_BYTES }: Partial<SyncSettings>,
): ReadonlySet<number> {
  if (maskingThreads === 0) return new Set();
  const bytes = new Map<number, number>();
  for (const chunk of chunks) bytes.set(chunk.tableIndex, (bytes.get(chunk.tableIndex) ?? 0) + chunk.bytes);
  return new Set([...tables].filter((index) => (bytes.get(index) ?? 0) >= threadFromBytes));
}
