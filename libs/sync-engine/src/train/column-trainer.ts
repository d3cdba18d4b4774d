import { NgramTrainer, TrainingError } from '@understudy/ngram';
import { SyncJobError } from '@understudy/sync-job';

/** If a column has fewer distinct values, no model is trained. Such a model could reveal single values. */
export const MIN_DISTINCT_VALUES = 100;

/**
 * The number of distinct values that a column must have, by the order of the model. Orders above 5 need as
 * many as order 5. With too few values, the model would learn almost nothing, or would memorize the values
 * (docs/guides/model-privacy.md).
 */
const VALUES_FOR_ORDER: ReadonlyMap<number, number> = new Map([
  [2, 0],
  [3, 500],
  [4, 2_500],
  [5, 12_500],
]);
const LAST_STEP = 5;

export interface ColumnTraining {
  /** The requested order. The model of a small column gets a lower order. */
  readonly order: number;
  readonly minValues: number;
  /** The model's name without the prefix `private/`. */
  readonly modelName: string;
  readonly fingerprintKey: Uint8Array;
}

/**
 * Trains a private model of the highest order for which the column has enough values, up to the requested
 * order.
 */
export class ColumnTrainer {
  /**
   * One trainer for each possible order, lowest order first. Each trainer gets every value, because the
   * number of values is known only at the end. Trainers whose order is too low for the number of values so
   * far are removed. After 12,500 values, only one trainer is left.
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

  /**
   * Adds a distinct value.
   * @param rows the number of rows that have the value
   * @throws SyncJobError training_refused if the values have too many transitions
   */
  add(value: string, rows: number): void {
    refusing(() => {
      for (const { trainer } of this.candidates) trainer.add(value, rows);
    });
    const next = this.candidates[1];
    if (next !== undefined && this.distinctValues >= neededFor(next.order)) this.candidates.shift();
  }

  /**
   * Finishes the training.
   * @returns the bytes of the `.ngram` file
   * @throws SyncJobError training_refused for too few distinct values, or if `minValues` excludes everything
   * that the model could learn
   */
  finish(): Uint8Array {
    if (this.distinctValues < MIN_DISTINCT_VALUES) throw new SyncJobError({ code: 'training_refused' });
    return refusing(() => this.chosen.finish());
  }

  private get chosen(): NgramTrainer {
    return (this.candidates[0] as (typeof this.candidates)[number]).trainer;
  }

  private get distinctValues(): number {
    return this.chosen.report().distinctValues;
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof TrainingError) throw new SyncJobError({ code: 'training_refused' }, { cause });
    throw cause;
  }
}

function neededFor(order: number): number {
  return VALUES_FOR_ORDER.get(Math.min(order, LAST_STEP)) ?? 0;
}
