import { parentPort } from 'node:worker_threads';

import { compileSchema } from '@understudy/generator';

import { benchOptions } from './schemas/bench-options.js';
import { hundredGenerators } from './schemas/hundred-generators.js';

/** Number of compiles that are not measured, so that V8 has optimized the code before the measurement. */
const WARM_UP = 20;
const MEASURED = 30;

const options = benchOptions();
// Reads the models before the measurement, because only the first compile would read their files.
for (const id of ['en_US/first_names', 'en_US/last_names']) options.models(id);

const text = JSON.stringify(hundredGenerators());
const times = Array.from({ length: 1 + WARM_UP + MEASURED }, () => {
  const schema: unknown = JSON.parse(text);
  const started = performance.now();
  compileSchema(schema, options);
  return performance.now() - started;
});
parentPort?.postMessage([times[0], ...times.slice(1 + WARM_UP)]);
