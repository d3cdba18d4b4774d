import { NgramTrainer, stripOriginals, TrainingError, type TrainingReport } from '@understudy/ngram';
import { Command, Option } from 'commander';
import { statSync } from 'node:fs';
import { basename } from 'node:path';

import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import { StandardOutput } from '../io/standard-output.js';
import { writeFileWhole } from '../io/output-file.js';
import { type Manual, withManual } from '../manual/manual.js';
import { wholeNumber } from '../config/option-values.js';
import { formatNumber } from '../terminal/numbers.js';
import { ProgressLine } from '../terminal/progress-line.js';
import { readValues } from './read-values.js';
import { parseValueSource, type ValueSource } from './value-source.js';

interface Options {
  readonly out: string;
  readonly order: number;
  readonly minValues: number;
  readonly case: 'preserve' | 'lower' | 'title';
  readonly originals: 'none' | 'fingerprints' | 'values';
  readonly locale: string;
  readonly name?: string;
  readonly json?: true;
}

const MANUAL: Manual = {
  notes: [
    'A text file contains one value per line. A table (.csv with commas, .tsv with tabs) begins with a line of column names.',
    'With --order n, each letter depends on the n - 1 letters before it. A low order such as 3 invents freely. A high order such as 6 rarely differs from the training values. With --min-values 5, the model keeps only transitions that occur in at least five different values.',
    '--originals controls what the file keeps of the training values. "fingerprints" keeps 8 bytes for each value, which --exclude-originals needs; anyone who has the file can test whether a guess is among them. "values" keeps the values themselves, so use it only for public data. "none" keeps nothing, and "understudy upload" accepts only this kind.',
  ],
  examples: [
    {
      purpose: 'train a model on the lines of a file',
      run: 'understudy train names.txt --order 4 --out names.ngram',
    },
    {
      purpose: 'train on a column and drop transitions that are specific to a few values',
      run: 'understudy train customers.csv:last_name --out last_names.ngram --min-values 5 --locale de_DE',
    },
    {
      purpose: 'train a model that can be uploaded',
      run: 'understudy train names.txt --originals none --locale en_US --out names.ngram',
    },
    {
      purpose: 'train on the output of another program',
      run: 'psql --csv -tc "SELECT town FROM branches" shop | understudy train - --out towns.ngram',
    },
  ],
};

export function trainCommand(): Command {
  const command = new Command('train')
    .description(
      'Trains a model on the lines of a text file or a column of a table, and writes it to a .ngram file.',
    )
    .argument('<file>', 'file.txt, file.csv:column, or - for lines from stdin')
    .requiredOption('--out <x.ngram>', 'the file to write')
    .option('--order <n>', '2 to 8: each symbol depends on the n - 1 symbols before it', wholeNumber(2, 8), 4)
    .option(
      '--min-values <k>',
      'keep only transitions that occur in at least k different values',
      wholeNumber(1),
      1,
    )
    .addOption(
      new Option('--case <folding>', 'how to change the case of letters')
        .choices(['preserve', 'lower', 'title'])
        .default('preserve'),
    )
    .addOption(
      new Option('--originals <kind>', 'what the file keeps of the training values')
        .choices(['none', 'fingerprints', 'values'])
        .default('fingerprints'),
    )
    .option('--locale <locale>', 'the locale of the values, such as en_US', 'und_ZZ')
    .option('--name <name>', 'the name of the model (default: the name of the file)')
    .option('--json', 'print the report as one JSON object')
    .action(train);
  return withManual(command, MANUAL);
}

async function train(text: string, options: Options): Promise<void> {
  const source = parseValueSource(text);
  const name = options.name ?? defaultName(options.out);
  const trainer = refusing(
    () =>
      new NgramTrainer({
        order: options.order,
        minValues: options.minValues,
        caseFolding: options.case,
        locale: options.locale,
        name,
        // Training needs fingerprints to recognise repeated values. They are removed from the file afterwards.
        originals: options.originals === 'none' ? 'fingerprints' : options.originals,
      }),
  );
  await learn(trainer, source);
  const trained = refusing(() => trainer.finish());
  const file = options.originals === 'none' ? stripOriginals(trained) : trained;
  await writeFileWhole(options.out, file);
  const report = { file: options.out, name, order: options.order, bytes: file.length, ...trainer.report() };
  await new StandardOutput().write(options.json ? `${JSON.stringify(toJson(report))}\n` : toText(report));
}

async function learn(trainer: NgramTrainer, source: ValueSource): Promise<void> {
  const progress = new ProgressLine();
  const size = sizeOf(source.file);
  let values = 0;
  let bytes = 0;
  const show = (): string => {
    const share = size === undefined ? '' : ` (${Math.floor((bytes / size) * 100)} %)`;
    return `${(bytes / 1e6).toFixed(1)} MB${share}, ${formatNumber(values)} values`;
  };
  try {
    await readValues(source, {
      value: (value) => {
        values += 1;
        refusing(() => trainer.add(value));
      },
      bytes: (count) => {
        bytes += count;
        progress.show(show);
      },
    });
  } finally {
    progress.clear();
  }
}

/** Returns the size of a file, or undefined for a source without a size, such as a pipe. */
function sizeOf(file: string): number | undefined {
  const size = file === '-' ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  return size === 0 ? undefined : size;
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TrainingError) throw new CliError(EXIT.refused, error.message);
    throw error;
  }
}

type Report = TrainingReport & {
  readonly file: string;
  readonly name: string;
  readonly order: number;
  readonly bytes: number;
};

function toJson(report: Report): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(report).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

function toText(report: Report): string {
  const skipped = report.emptyValues + report.overlongValues;
  return [
    `${report.file}: ${formatNumber(report.bytes)} bytes, order ${report.order}`,
    `${formatNumber(report.distinctValues)} different values (${formatNumber(report.totalWeight)} in total), ${report.shortestValue} to ${report.longestValue} characters`,
    `${formatNumber(report.transitionsKept)} of ${formatNumber(report.transitionsSeen)} transitions kept, ${formatNumber(report.states)} states`,
    ...(skipped > 0
      ? [
          `skipped values: ${formatNumber(report.emptyValues)} empty, ${formatNumber(report.overlongValues)} too long`,
        ]
      : []),
    '',
  ].join('\n');
}

function defaultName(out: string): string {
  return basename(out).replace(/\.ngram$/, '');
}
