import { compileWord, NgramError, type WordConstraints } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';
import { Command } from 'commander';

import { CliError } from '../cli-error.js';
import { randomSeed, seed, wholeNumber } from '../config/option-values.js';
import { EXIT } from '../exit-code.js';
import { StandardOutput } from '../io/standard-output.js';
import { type Manual, withManual } from '../manual/manual.js';
import { loadModel } from './load-model.js';

interface Options extends WordConstraints {
  readonly count: number;
  readonly seed?: number;
  readonly json?: true;
}

const LINES_PER_WRITE = 1000;

const MANUAL: Manual = {
  notes: [
    'The command draws words at random from the words that meet the constraints, in proportion to their probabilities in the model.',
  ],
  examples: [
    {
      purpose: 'write twenty words from a model file',
      run: 'understudy sample names.ngram --count 20 --starts-with Ma',
    },
    {
      purpose: 'write the same words at every run',
      run: 'understudy sample en_US/last_names --min-length 8 --ends-with son --seed 7',
    },
  ],
};

export function sampleCommand(): Command {
  const command = new Command('sample')
    .description('Generates words from a model and writes one per line.')
    .argument('<model>', 'a .ngram file, or the id of a built-in model')
    .option('--count <n>', 'number of words', wholeNumber(1), 10)
    .option('--seed <n>', 'the same seed gives the same words; without it, a random seed is chosen', seed)
    .option('--starts-with <text>', 'text that each word begins with')
    .option('--ends-with <text>', 'text that each word ends with')
    .option('--contains <text>', 'text that each word contains')
    .option('--min-length <n>', 'smallest number of characters', wholeNumber(0))
    .option('--max-length <n>', 'largest number of characters', wholeNumber(0))
    .option('--exclude-originals', 'never write a word that the model was trained on')
    .option('--json', 'write each word as JSON')
    .action(sample);
  return withManual(command, MANUAL);
}

async function sample(name: string, { count, seed: given, json, ...constraints }: Options): Promise<void> {
  const model = await loadModel(name);
  const plan = refusing(name, () => compileWord(model, constraints));
  const random = new RandomStream();
  const key = rootKey('sample', given ?? randomSeed());
  const output = new StandardOutput();
  let text = '';
  for (let i = 1; i <= count; i += 1) {
    const word = refusing(name, () => plan.sample(random.seek(key, i - 1)));
    text += `${json ? JSON.stringify(word) : word}\n`;
    if (i % LINES_PER_WRITE !== 0 && i < count) continue;
    await output.write(text);
    text = '';
  }
}

function refusing<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NgramError) throw new CliError(EXIT.refused, `${what}: ${error.message}`);
    throw error;
  }
}
