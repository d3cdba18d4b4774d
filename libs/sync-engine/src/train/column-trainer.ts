import { NgramTrainer, TrainingError } from '@understudy/ngram';
import { SyncJobError } from '@understudy/sync-job';

/** Fewer would let single values show through. */
export const MIN_DISTINCT_VALUES = 100;

/**
 * Distinct values that a column must have for an order; larger orders ask for no more than the last. With fewer, next to
 * nothing is shared by `minValues` of them at that order, or what is learned are the values themselves (docs/privacy.md).
 */
const VALUES_FOR_ORDER: ReadonlyMap<number, number> = new Map([
  [2, 0],
  [3, 500],
  [4, 2_500],
  [5, 12_500],
]);
const LAST_STEP = 5;

export interface ColumnTraining {
  /** As asked for; a small column is learned at a lower one. */
  readonly order: number;
  readonly minValues: number;
  /** Without `private/`. */
  readonly modelName: string;
  readonly fingerprintKey: Uint8Array;
}

/** Learns a private model at the highest order, up to the one asked for, that the column is large enough for. */
export class ColumnTrainer {
  /**
   * Ascending by order, all fed alike, because how many values there are is known only at the end: the first is the right
   * one for what has come so far. Beyond 12,500 values one is left.
   */
  private readonly candidates: { readonly order: number; readonly trainer: NgramTrainer }[];

  constructor(training: ColumnTraining) {
    const steps = [...VALUES_FOR_ORDER.keys()].filter((order) => order < Math.min(training.order, LAST_STEP));
    this.candidates = [...steps, training.order].map((order) => ({
      order,
      trainer: new NgramTrainer({
        order,
        minValues: training.minValues,
        name: training.modelName,
        locale: 'private',
        originals: 'fingerprints',
        fingerprintKey: training.fingerprintKey,
      }),
    }));
  }

  /** @param rows how many have the value */
  add(value: string, rows: number): void {
    for (const { trainer } of this.candidates) trainer.add(value, rows);
    const next = this.candidates[1];
    if (next !== undefined && this.distinctValues >= neededFor(next.order)) this.candidates.shift();
  }

  /**
   * @returns the bytes of the `.ngram` file
   * @throws SyncJobError training_refused for too few distinct values, or when nothing survives `minValues`
   */
  finish(): Uint8Array {
    if (this.distinctValues < MIN_DISTINCT_VALUES) throw new SyncJobError({ code: 'training_refused' });
    try {
      return this.chosen.finish();
    } catch (cause) {
      if (cause instanceof TrainingError) throw new SyncJobError({ code: 'training_refused' }, { cause });
      throw cause;
    }
  }

  private get chosen(): NgramTrainer {
    return (this.candidates[0] as (typeof this.candidates)[number]).trainer;
  }

  private get distinctValues(): number {
    return this.chosen.report().distinctValues;
  }
}

function neededFor(order: number): number {
  return VALUES_FOR_ORDER.get(Math.min(order, LAST_STEP)) ?? 0;
}
