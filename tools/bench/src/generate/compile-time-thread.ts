import { parentPort } from 'node:worker_threads';

import { compileSchema } from '@understudy/generator';

import { benchOptions } from './schemas/bench-options.js';
import { hundredGenerators } from './schemas/hundred-generators.js';

/** Some compiles in, the code is as fast as it gets; those between are not counted. */
const WARM_UP = 20;
const MEASURED = 30;

const options = benchOptions();
// Reading a model's file is done once in a program's life: it is no part of compiling a schema.
for (const id of ['en_US/first_names', 'en_US/last_names']) options.models(id);

const text = JSON.stringify(hundredGenerators());
const times = Array.from({ length: 1 + WARM_UP + MEASURED }, () => {
  const schema: unknown = JSON.parse(text);
  const started = performance.now();
  compileSchema(schema, options);
  return performance.now() - started;
});
parentPort?.postMessage([times[0], ...times.slice(1 + WARM_UP)]);
