import { DefinitionError, type SchemaPlan } from '@understudy/generator';
import { startOfUtcDay } from '@understudy/sync-job';

import { CliError } from '../cli-error.js';
import { randomSeed } from '../config/option-values.js';
import { EXIT } from '../exit-code.js';
import { readJsonFile } from '../io/read-file.js';
import { readModelBytes } from '../models/load-model.js';
import type { GenerateOptions } from './generate-options.js';
import { compileTask, type GenerationTask } from './generation-task.js';

/** Reads the schema and the models that the options name. @throws CliError if a file cannot be read or parsed */
export async function readTask(file: string, options: GenerateOptions): Promise<GenerationTask> {
  const schema = await readJsonFile(file);
  const models = new Map<string, Uint8Array>();
  for (const [id, path] of options.model) models.set(id, shared(await readModelBytes(path)));
  return {
    schema,
    models,
    nowMs: options.now ?? startOfUtcDay(new Date()).getTime(),
    seed: options.seed ?? randomSeed(),
  };
}

/**
 * Compiles the schema and prints its warnings for this number of records on stderr.
 * @throws CliError with every problem of the schema, each with its path
 */
export function checkTask(file: string, task: GenerationTask, count: number): SchemaPlan {
  try {
    const plan = compileTask(task);
    for (const { path, message } of plan.warnings(count))
      process.stderr.write(`${file}: warning: ${path}: ${message}\n`);
    return plan;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const problems = error.problems.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    throw new CliError(EXIT.refused, problems.map((problem) => `${file}: ${problem}`).join('\n'));
  }
}

/** Returns a copy of the bytes in memory that all threads share. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
