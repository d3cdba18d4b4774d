import { ByteSink } from '@understudy/bytes';
import { CopyRewriter, readTextField } from '@understudy/copy-format';
import { type Client, copyOut, quoteIdentifier, quoteTable, releasingLocks } from '@understudy/postgres';
import type { TableName } from '@understudy/sync-job';
import { type ColumnTraining, ColumnTrainer } from './column-trainer.js';

export interface TrainingRequest extends ColumnTraining {
  readonly table: TableName;
  readonly isPartitioned: boolean;
  readonly column: string;
}

/**
 * Trains a model on a column's distinct values, which are streamed from the client's transaction.
 * @returns the bytes of the `.ngram` file
 * @throws SyncJobError training_refused for too few distinct values, or if `minValues` excludes everything
 * that the model could learn
 */
export async function trainModel(client: Client, request: TrainingRequest): Promise<Uint8Array> {
  const trainer = new ColumnTrainer(request);
  const reader = new CopyRewriter(2, (bytes, bounds) => {
    const value = readTextField(bytes, bounds[0] as number, bounds[1] as number) ?? '';
    const rows = Number(readTextField(bytes, bounds[2] as number, bounds[3] as number));
    trainer.add(value, rows);
  });
  const unwanted = new ByteSink();
  await releasingLocks(client, () =>
    copyOut(client, distinctValues(request), (chunk) => {
      reader.push(chunk, unwanted);
      unwanted.length = 0;
      return undefined;
    }),
  );
  reader.finish();
  return trainer.finish();
}

function distinctValues({ table, isPartitioned, column }: TrainingRequest): string {
  const name = quoteIdentifier(column);
  const from = `${isPartitioned ? '' : 'ONLY '}${quoteTable(table)}`;
  return `COPY (SELECT ${name}::text, count(*) FROM ${from} WHERE ${name} IS NOT NULL GROUP BY 1) TO STDOUT`;
}
