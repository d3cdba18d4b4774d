import { builtinModels } from '@understudy/builtin-models/node';
import { Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../config/option-values.js';

export interface InitOptions {
  readonly out: string;
  readonly schema?: readonly string[];
  readonly tables?: readonly string[];
  readonly exclude?: readonly string[];
  readonly sample: number;
  readonly columnSeconds: number;
  readonly locale?: string;
  readonly target?: string;
  readonly replace: 'tables' | 'database';
  readonly preview: boolean;
  readonly json?: true;
  readonly force?: true;
}

export function withInitOptions(command: Command): Command {
  return command
    .addOption(new Option('--out <file>', 'the job file to write').default('understudy.job.jsonc'))
    .option('--schema <names>', 'only these schemas, separated by commas', names)
    .option('--tables <patterns>', 'only these tables, separated by commas; * matches any text', names)
    .option('--exclude <patterns>', 'leave out these tables, in the same syntax', names)
    .option(
      '--sample <pages>',
      'number of pages to read at least from each table that is too large to be read completely',
      wholeNumber(1, 10_000),
      200,
    )
    .option(
      '--column-seconds <n>',
      'time limit for the short values of one table, and for the documents, arrays, composite values or long texts of one column',
      wholeNumber(1, 600),
      30,
    )
    .option(
      '--locale <locale>',
      'the locale of new names, such as en_US (default: the locale that the values look like)',
      locale,
    )
    .option(
      '--target <url>',
      'the database that the job will write to (default: the file refers to the environment variable TARGET_URL)',
    )
    .addOption(
      new Option('--replace <what>', 'write a job that replaces the tables, or the whole target by a copy')
        .choices(['tables', 'database'])
        .default('tables'),
    )
    .option('--no-preview', 'do not show rows')
    .option('--json', 'print one JSON object instead of text, without rows')
    .option('--force', 'replace the file if it exists');
}

function names(text: string, before: readonly string[] = []): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.includes('')) throw new InvalidArgumentError('Expected names separated by commas.');
  return [...before, ...parts];
}

function locale(text: string): string {
  const known = builtinModels.locales();
  if (known.includes(text)) return text;
  throw new InvalidArgumentError(`Expected one of ${known.join(', ')}.`);
}
