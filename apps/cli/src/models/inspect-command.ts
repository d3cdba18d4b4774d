import type { NgramModel } from '@understudy/ngram';
import { Command } from 'commander';

import { StandardOutput } from '../io/standard-output.js';
import { type Manual, withManual } from '../manual/manual.js';
import { formatNumber } from '../terminal/numbers.js';
import { loadModel } from './load-model.js';

const MANUAL: Manual = {
  examples: [
    { purpose: 'show the facts about a model file', run: 'understudy inspect names.ngram' },
    {
      purpose: 'print the facts about a built-in model as JSON',
      run: 'understudy inspect en_US/first_names --json',
    },
  ],
};

export function inspectCommand(): Command {
  const command = new Command('inspect')
    .description('Checks a model and prints its metadata.')
    .argument('<model>', 'a .ngram file, or the id of a built-in model')
    .option('--json', 'print one JSON object')
    .action(async (model: string, { json }: { json?: true }) => {
      const facts = factsOf(await loadModel(model));
      await new StandardOutput().write(json ? `${JSON.stringify(facts)}\n` : toText(facts));
    });
  return withManual(command, MANUAL);
}

type Facts = Readonly<Record<string, string | number | readonly string[] | null>>;

function factsOf(model: NgramModel): Facts {
  return {
    id: model.id,
    name: model.name,
    locale: model.locale,
    order: model.order,
    token_type: model.tokenType,
    case_folding: model.caseFolding,
    modes: model.modes,
    token_count: model.tokenCount,
    ngram_count: model.ngramCount,
    state_count: model.stateCount,
    distinct_values: model.distinctValues,
    total_weight: model.totalWeight,
    shortest_value: model.shortestValue,
    longest_value: model.longestValue,
    min_values: model.minValues,
    originals: originalsOf(model),
    licence: model.licence,
    source: model.source,
    byte_length: model.byteLength,
    checksum: model.checksum,
  };
}

/**
 * Returns `recorded`, `locked` or `none`: how the model records its training values. `locked` means that the
 * training values are hashed with a secret key.
 */
function originalsOf({ originals }: NgramModel): string {
  return typeof originals === 'string' ? originals : 'recorded';
}

function toText(facts: Facts): string {
  const entries = Object.entries(facts).filter(([, value]) => value !== '' && value !== null);
  const width = Math.max(...entries.map(([key]) => key.length));
  return entries
    .map(([key, value]) => `${key.replaceAll('_', ' ').padEnd(width)}  ${shown(value)}\n`)
    .join('');
}

function shown(value: Facts[string] | undefined): string {
  if (typeof value === 'number') return formatNumber(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}
