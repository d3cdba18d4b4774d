import { sqlstateOf } from '@understudy/postgres';
import type { SyncWarning } from '@understudy/sync-job';
import type { ModelStore } from '../../models/model-store.js';
import { trainModels, type TrainingOrder, type TrainingTools } from '../../train/train-models.js';
import type { FailureList } from './failure-list.js';

/**
 * Private models that a dry run trains. They exist only in the memory of the dry run. Models that it did not train are
 * read from the agent's store, which it never changes.
 */
export class TriedModels {
  private readonly trained = new Map<string, Uint8Array>();
  readonly fingerprintKey: Uint8Array;

  constructor(private readonly store: ModelStore) {
    this.fingerprintKey = store.fingerprintKey;
  }

  write(name: string, file: Uint8Array): Promise<void> {
    this.trained.set(name, file);
    return Promise.resolve();
  }

  read(name: string): Uint8Array | undefined {
    return this.trained.get(name) ?? this.store.read(name);
  }

  reportedHash(file: Uint8Array): string {
    return this.store.reportedHash(file);
  }
}

export type TrialTools = Omit<TrainingTools, 'reporter'> & {
  readonly failures: FailureList;
  /** The time for all models together, in milliseconds. */
  readonly limitMs: number;
  readonly now: () => number;
};

export interface TriedTraining {
  /** The orders whose model was not trained, because the training was refused or the time was over. */
  readonly untrained: readonly TrainingOrder[];
  /** A warning for each order that was not tried. */
  readonly warnings: readonly SyncWarning[];
}

/** Trains the models of a dry run, and collects the failures of models that cannot be trained. */
export async function tryTraining(
  orders: readonly TrainingOrder[],
  { failures, limitMs, now, ...tools }: TrialTools,
): Promise<TriedTraining> {
  const { client } = tools.snapshot;
  const until = now() + limitMs;
  const untrained: TrainingOrder[] = [];
  const warnings: SyncWarning[] = [];
  const reporter = { report: () => Promise.resolve() };
  for (const order of orders) {
    const left = until - now();
    const train = () => withinStatementTime(client, left, () => trainModels([order], { ...tools, reporter }));
    const outcome = left <= 0 ? 'too_late' : await failures.collect(train);
    if (outcome === 'done') continue;
    untrained.push(order);
    const { plan, columnIndex } = order;
    if (outcome === 'too_late')
      warnings.push({ code: 'training_not_tried', tableIndex: plan.index, columnIndex });
  }
  return { untrained, warnings };
}

/**
 * Runs work in the client's transaction, which stays usable after an error.
 * @throws the errors of the work, except that of the time limit
 */
async function withinStatementTime(
  client: TrialTools['snapshot']['client'],
  limitMs: number,
  work: () => Promise<void>,
): Promise<'done' | 'too_late'> {
  await client.query(`SAVEPOINT try_training; SET LOCAL statement_timeout = ${Math.ceil(limitMs)}`);
  try {
    await work();
    await client.query('SET LOCAL statement_timeout = 0; RELEASE SAVEPOINT try_training');
    return 'done';
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT try_training; RELEASE SAVEPOINT try_training');
    if (isTimeout(error)) return 'too_late';
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return sqlstateOf(error) === '57014';
}
