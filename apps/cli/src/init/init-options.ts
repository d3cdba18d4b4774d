import { builtinLocales } from '@understudy/builtin-models';
import { Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../config/option-values.js';

export interface InitOptions {
  readonly out: string;
  readonly schema?: readonly string[];
  readonly tables?: readonly string[];
  readonly exclude?: readonly string[];
  readonly sample: number;
  readonly locale?: string;
  readonly target?: string;
  readonly preview: boolean;
  readonly json?: true;
  readonly force?: true;
}

/** Adds the options of `understudy init`. */
export function withInitOptions(command: Command): Command {
  return command
    .addOption(new Option('--out <file>', 'the job file to write').default('understudy.job.jsonc'))
    .option('--schema <names>', 'only these schemas, with commas between', names)
    .option(
      '--tables <patterns>',
      'only these tables: names, with * for anything; with commas between',
      names,
    )
    .option('--exclude <patterns>', 'not these tables', names)
    .option('--sample <n>', 'rows that are looked at of each table', wholeNumber(1, 10_000), 200)
    .option(
      '--locale <locale>',
      'the locale of new names, as en_US; without it the one that the values look like',
      locale,
    )
    .option(
      '--target <url>',
      'the database that the job will write; without it the file takes TARGET_URL from the environment',
    )
    .option('--no-preview', 'show no rows')
    .option('--json', 'print one JSON object instead of text; it holds no rows')
    .option('--force', 'replace the file if it is there');
}

function names(text: string, before: readonly string[] = []): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.includes('')) throw new InvalidArgumentError('Expected names with commas between.');
  return [...before, ...parts];
}

function locale(text: string): string {
  const known = builtinLocales();
  if (known.includes(text)) return text;
  throw new InvalidArgumentError(`Expected one of ${known.join(', ')}.`);
}
