import { BuiltinLibrary } from '@understudy/builtin-models';
import {
  compileSchema,
  DefinitionError,
  GenerationError,
  type Problem,
  type SchemaPlan,
} from '@understudy/generator';
import type { NgramModel } from '@understudy/ngram';
import { Command, InvalidArgumentError, Option } from 'commander';

import { CliError } from '../cli-error.js';
import { drawSeed } from '../draw-seed.js';
import { EXIT } from '../exit-code.js';
import { readJsonFile } from '../io/read-file.js';
import { StandardOutput } from '../io/standard-output.js';
import { type Manual, withManual } from '../manual/manual.js';
import { readModelFile } from '../models/load-model.js';
import { instant, seed, wholeNumber } from '../option-values.js';
import { FORMATS, generateRecords, type Format } from './generate-records.js';

interface Options {
  readonly count: number;
  readonly format: Format;
  readonly seed?: number;
  readonly now?: number;
  readonly model: ReadonlyMap<string, string>;
}

const MANUAL: Manual = {
  notes: [
    'The schema is the one that POST /v1/generate takes: generators by name, and which of them to put out.',
  ],
  listing: {
    file: 'people.json',
    text: `{
  "generators": {
    "id": { "type": "svc", "algorithm": "sequence" },
    "name": { "type": "model", "source": "en_US/first_names" },
    "email": { "body": "{{lowercase(name)}}{{id}}@example.com" }
  },
  "output": ["id", "name", "email"]
}`,
  },
  examples: [
    {
      says: 'a thousand records as CSV, the same at every run',
      run: 'understudy generate people.json --count 1000 --seed 42 --format csv > people.csv',
    },
  ],
};

export function generateCommand(): Command {
  const command = new Command('generate')
    .description('Makes records from a schema and writes them to stdout.')
    .argument('<schema.json>', 'the schema; - reads it from stdin')
    .option('--count <n>', 'records to make', wholeNumber(1), 10)
    .option(
      '--seed <n>',
      'the same seed gives the same records; without it one is drawn and told on stderr',
      seed,
    )
    .addOption(new Option('--format <format>', 'how to write them').choices(FORMATS).default('json'))
    .option('--now <instant>', 'what relative dates count from (default: the start of this UTC day)', instant)
    .option(
      '--model <id=file>',
      'a .ngram file as the model of an id; may be given again',
      addModel,
      new Map(),
    )
    .action(generate);
  return withManual(command, MANUAL);
}

async function generate(file: string, options: Options): Promise<void> {
  const schema = await readJsonFile(file);
  const own = new Map<string, NgramModel>();
  for (const [id, place] of options.model) own.set(id, await readModelFile(place));
  const chosen = options.seed ?? drawSeed();
  const { plan, warnings } = compile(file, schema, own, options);
  for (const { path, message } of warnings) process.stderr.write(`${file}: warning: ${path}: ${message}\n`);
  if (options.seed === undefined) process.stderr.write(`seed ${chosen}\n`);
  const output = new StandardOutput();
  try {
    for (const chunk of generateRecords(plan, { ...options, seed: chosen })) await output.write(chunk);
  } catch (error) {
    if (error instanceof GenerationError) throw new CliError(EXIT.refused, `${file}: ${error.message}`);
    throw error;
  }
}

function compile(
  file: string,
  schema: unknown,
  own: ReadonlyMap<string, NgramModel>,
  { count, now: nowMs = startOfUtcDay() }: Options,
): { readonly plan: SchemaPlan; readonly warnings: readonly Problem[] } {
  const { models, assets, registry } = new BuiltinLibrary();
  try {
    const options = { models: (id: string) => own.get(id) ?? models(id), assets, registry, nowMs };
    const plan = compileSchema(schema, options);
    return { plan, warnings: plan.warnings(count) };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    const problems = error.problems.map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    throw new CliError(EXIT.refused, problems.map((problem) => `${file}: ${problem}`).join('\n'));
  }
}

function addModel(text: string, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, id = '', file = ''] = /^([A-Za-z0-9_./-]{1,200})=(.+)$/.exec(text) ?? [];
  if (id === '') throw new InvalidArgumentError('Expected an id and a file, as in custom/names=names.ngram.');
  return new Map([...before, [id, file]]);
}

function startOfUtcDay(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
}
