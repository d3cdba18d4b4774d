import type { Chunk } from '../plan-chunks.js';
import type { CellMask } from '@understudy/masking';
import type { JobMasks } from '../../plan/compile-masks.js';
import type { SyncSettings } from '../../environment.js';
import type { TablePlan } from '../../plan/table-plan.js';
import type { MaskingJob } from './masking-messages.js';

/** The tables whose rules a thread can compile, and the inputs for compiling them. */
export interface ThreadRules {
  readonly job: MaskingJob;
  /** The table indexes of the tables whose rules a thread can compile. */
  readonly tables: ReadonlySet<number>;
}

/**
 * The compiled rules of all tables, before and after `finalizeMasks` adapted them to unique and foreign keys.
 */
export interface RulesOfTables {
  readonly compiled: JobMasks;
  readonly finalized: JobMasks;
  /** The table indexes of the tables whose rules use private models. */
  readonly isPrivate: ReadonlySet<number>;
}

/**
 * Finds the tables whose rules a thread can compile with the same result as the main thread. Excludes tables
 * whose rules use private models or were adapted to unique or foreign keys. A thread receives neither private
 * models nor adapted rules.
 * @returns table indexes
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

/**
 * The smallest size of a table, in bytes on disk, for which a thread saves time. A thread takes a few tenths
 * of a second to start and to reach full speed.
 */
const WORTH_A_THREAD_BYTES = 16_000_000;

/**
 * Selects the tables whose remaining chunks, taken together, are large enough for a thread.
 * @param tables the table indexes to select from
 * @param chunks the chunks that are still to be copied
 */
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
