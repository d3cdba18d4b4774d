import { writeExactJson } from '@understudy/expression';
import { guard } from '../session/guard.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { ModelStore } from '../models/model-store.js';
import { trainModel } from './train-model.js';
import type { JobReporter } from '../progress/progress-meter.js';
import { SyncJobError } from '@understudy/sync-job';
import type { Snapshot } from '../source/snapshot.js';
import type { ColumnPlan, TablePlan } from '../plan/table-plan.js';

const PRIVATE = 'private/';

/** A column whose rule requests the training of a model. */
export interface TrainingOrder {
  readonly plan: TablePlan;
  readonly column: string;
  readonly columnIndex: number;
  readonly modelId: string;
  readonly order: number;
  readonly minValues: number;
}

/**
 * Lists the models that the rules train.
 * @throws SyncJobError model_trained_twice if two columns train the same model
 */
export function trainingOrders(plans: readonly TablePlan[]): readonly TrainingOrder[] {
  const orders: TrainingOrder[] = [];
  for (const plan of plans) {
    for (const { description, fill } of plan.columns) {
      if (fill.kind !== 'produce' || fill.rule.kind !== 'model' || fill.rule.train === undefined) continue;
      // A column that references a masked key uses the model that is trained on the key.
      if (fill.shared?.isRoot === false) continue;
      const { modelId, train } = fill.rule;
      const columnIndex = plan.columnIndex.get(description.name) ?? 0;
      if (orders.some((order) => order.modelId === modelId)) {
        throw new SyncJobError(
          { code: 'model_trained_twice', tableIndex: plan.index, columnIndex },
          { cause: new Error('two columns train the same model') },
        );
      }
      orders.push({ plan, column: description.name, columnIndex, modelId, ...train });
    }
  }
  return orders;
}

/**
 * Returns whether the column's rule uses a model that this job trains. Such a rule is compiled after the
 * training.
 */
export function waitsForTraining(orders: readonly TrainingOrder[], { fill }: ColumnPlan): boolean {
  if (fill.kind !== 'produce' || orders.length === 0) return false;
  // A generator definition can name a model at any depth.
  const rule = writeExactJson(fill.rule);
  return orders.some(({ modelId }) => rule.includes(modelId));
}

export interface TrainingTools {
  readonly snapshot: Snapshot;
  readonly store: Pick<ModelStore, 'write' | 'fingerprintKey' | 'reportedHash'>;
  /** The time at which the job was accepted. */
  readonly acceptedAt: Date;
  readonly registry: ModelRegistry;
  readonly reporter: Pick<JobReporter, 'report'>;
  readonly signal: AbortSignal;
}

/**
 * Trains and stores the models one after another, on the job's snapshot.
 * @throws SyncJobError training_refused
 */
export async function trainModels(orders: readonly TrainingOrder[], tools: TrainingTools): Promise<void> {
  const { snapshot, store, acceptedAt, registry, reporter, signal } = tools;
  for (const { plan, column, columnIndex, modelId, order, minValues } of orders) {
    signal.throwIfAborted();
    const modelName = modelId.slice(PRIVATE.length);
    const request = {
      table: plan.name,
      isPartitioned: plan.source.isPartitioned,
      column,
      modelName,
      order,
      minValues,
      fingerprintKey: store.fingerprintKey,
    };
    const location = { tableIndex: plan.index, columnIndex };
    const { context, plain } = snapshot.client.at(plan.index);
    // The guard also locates an error in a value.
    const file = await guard(context, () =>
      trainModel(plain, request).catch((error: unknown) => {
        if (!(error instanceof SyncJobError)) throw error;
        throw new SyncJobError({ ...error.failure, ...location }, { cause: error.cause });
      }),
    );
    await store.write(modelName, file, acceptedAt);
    registry.forget(modelId);
    await reporter.report({ type: 'model_trained', ...location, hash: store.reportedHash(file) });
  }
}
