// Makes the built-in models: `npm run build && node models/build.mjs`. The same sources give the same bytes;
// `--check` writes nothing and fails when an asset differs from what the sources give.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NgramTrainer } from '@understudy/ngram';
import { usFirstNames } from './us-first-names.mjs';
import { usLastNames } from './us-last-names.mjs';

const ASSETS = join(import.meta.dirname, '../libs/builtin-models/assets');
const MODELS = [usFirstNames, usLastNames];
const isCheck = process.argv.includes('--check');

for (const model of MODELS) {
  const trainer = new NgramTrainer(model.options);
  for (const [value, weight] of model.values()) trainer.add(value, weight);
  const bytes = trainer.finish();
  const { distinctValues, transitionsKept } = trainer.report();
  const id = `${model.options.locale}/${model.options.name}`;
  const file = join(ASSETS, `${id}.ngram`);
  if (isCheck) {
    if (!readFileSync(file).equals(bytes))
      throw new Error(`${file} is not what its sources give: build it again`);
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  console.log(`${id}: ${distinctValues} values, ${transitionsKept} transitions, ${bytes.length} bytes`);
}
