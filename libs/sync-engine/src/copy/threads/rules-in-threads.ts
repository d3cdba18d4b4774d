import type { Chunk } from '../plan-chunks.js';
import type { CellMask } from '@understudy/masking';
import type { JobMasks } from '../../plan/compile-masks.js';
import type { SyncSettings } from '../../environment.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { MaskingJob } from './masking-messages.js';

/** What a thread needs to know to mask rows of those tables whose rules it can compile by itself. */
export interface ThreadRules {
  readonly job: MaskingJob;
  /** By index. */
  readonly tables: ReadonlySet<number>;
}

/** Rules before and after they were adapted to the job's keys. */
export interface RulesOfTables {
  readonly compiled: JobMasks;
  readonly finalized: JobMasks;
  /** Indexes of tables with values from a model that was trained on this machine. */
  readonly isPrivate: ReadonlySet<number>;
}

/**
 * Finds the tables whose rules another thread can compile from the command with the same result. Adaptations to keys and unique
 * values, and private models, exist in this thread only. @returns table indexes
 */
export function rulesForThreads(
  plans: readonly Pick<TablePlan, 'index'>[],
  { compiled, finalized, isPrivate }: RulesOfTables,
): ReadonlySet<number> {
  return new Set(
    plans.flatMap(({ index }) => {
      const masks = finalized.get(index) ?? new Map<string, CellMask>();
      const isAsCompiled = [...masks].every(([name, mask]) => mask === compiled.get(index)?.get(name));
      return masks.size > 0 && isAsCompiled && !isPrivate.has(index) ? [index] : [];
    }),
  );
}

/** A thread takes some tenths of a second to start and to become quick. */
const WORTH_A_THREAD_BYTES = 16_000_000;

/** Those with so much to copy that a thread is worth its start. @param chunks those that are left */
export function tablesMaskedInThreads(
  tables: ReadonlySet<number>,
  chunks: readonly Chunk[],
  { maskingThreads = 0, threadFromBytes = WORTH_A_THREAD_BYTES }: Partial<SyncSettings>,
): ReadonlySet<number> {
  if (maskingThreads === 0) return new Set();
  const bytes = new Map<number, number>();
  for (const chunk of chunks) bytes.set(chunk.tableIndex, (bytes.get(chunk.tableIndex) ?? 0) + chunk.bytes);
  return new Set([...tables].filter((index) => (bytes.get(index) ?? 0) >= threadFromBytes));
}
