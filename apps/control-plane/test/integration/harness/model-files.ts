import { NgramTrainer, type TrainOptions } from '@understudy/ngram';

const NAMES = ['Anna', 'Anton', 'Berta', 'Bernd', 'Carla', 'Clara', 'Dora', 'Doris', 'Emil', 'Emma'];

/** Creates a small model file. By default it contains no originals. */
export function modelFile(
  options: Partial<TrainOptions> = {},
  values: readonly string[] = NAMES,
): Uint8Array<ArrayBuffer> {
  const trainer = new NgramTrainer({
    order: 3,
    name: 'names',
    locale: 'de_DE',
    originals: 'none',
    ...options,
  });
  for (const value of values) trainer.add(value);
  return new Uint8Array(trainer.finish());
}

/** Creates the form of an upload. Omits fields whose value is null. */
export function modelForm(
  fields: {
    readonly name?: string | null;
    readonly id?: string;
    readonly description?: string;
    readonly file?: Uint8Array<ArrayBuffer> | string | null;
  } = {},
): FormData {
  const { name = 'names', id, file = modelFile(), description } = fields;
  const form = new FormData();
  if (name !== null) form.set('name', name);
  if (id !== undefined) form.set('id', id);
  if (description !== undefined) form.set('description', description);
  if (typeof file === 'string') form.set('file', file);
  else if (file !== null) form.set('file', new Blob([file]), 'names.ngram');
  return form;
}
