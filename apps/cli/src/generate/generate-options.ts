import { type QualifiedName, readSqlName } from '@understudy/records';
import { InvalidArgumentError } from 'commander';

import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import type { Format } from './row-layout.js';
import type { RowRange } from './generation-task.js';

/** The parsed options. Conflicts between them are not checked yet. */
export interface GenerateOptions {
  readonly count: number;
  readonly range?: RowRange;
  readonly format?: Format;
  readonly seed?: number;
  readonly now?: number;
  readonly model: ReadonlyMap<string, string>;
  readonly threads?: number;
  readonly out?: string;
  readonly into?: string;
  readonly table?: string;
  readonly rowsOnly?: true;
  readonly json?: true;
}

/** The settings of a run, derived from all options. */
export interface GenerateRequest {
  readonly range: RowRange;
  readonly format: Format;
  readonly rowsOnly: boolean;
  /** Empty if the format contains no table name. */
  readonly table: QualifiedName;
}

/** Parses `a..b`, which means the rows a to b - 1. Rejects an empty range. */
export function readRowRange(text: string): RowRange {
  const [, from = '', to = ''] = /^(\d{1,16})\.\.(\d{1,16})$/.exec(text) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (to !== '' && range.from < range.to && Number.isSafeInteger(range.to)) return range;
  throw new InvalidArgumentError('Expected a..b with a less than b, such as 0..1000 for the rows 0 to 999.');
}

/** Combines the options into a request. @throws CliError with every conflict between options */
export function readRequest(options: GenerateOptions): GenerateRequest {
  const { count, into, range = { from: 0, to: count } } = options;
  const format = into === undefined ? (options.format ?? 'json') : 'copy';
  const rowsOnly = into !== undefined || options.rowsOnly === true;
  const needsTable = into !== undefined || format === 'sql' || (format === 'copy' && !rowsOnly);
  const table = options.table === undefined ? [] : readSqlName(options.table);
  const problems = [
    ...(range.to > count ? [`--range ends at ${range.to}, after the last row of --count ${count}`] : []),
    ...(options.range && options.seed === undefined
      ? ['--range needs --seed: all parts of the same data need the same seed']
      : []),
    ...(needsTable && options.table === undefined
      ? [`${into === undefined ? `--format ${format}` : '--into'} needs --table`]
      : []),
    ...(!needsTable && options.table !== undefined
      ? [`--table has no effect with --format ${format}: remove it`]
      : []),
    ...(table === undefined
      ? ['--table: expected a name in SQL syntax, such as people or "Sales".people']
      : []),
    ...(options.rowsOnly && !['csv', 'copy'].includes(format)
      ? [`--rows-only has no effect with --format ${format}: remove it`]
      : []),
    ...(into === undefined
      ? []
      : [
          ...(options.format === undefined ? [] : ['--into always uses the format copy: remove --format']),
          ...(options.rowsOnly ? ['--rows-only has no effect with --into: remove it'] : []),
          ...(options.out === undefined ? [] : ['--out and --into cannot be combined: choose one']),
        ]),
    ...(options.json && into === undefined && options.out === undefined
      ? ['--json prints the report of --out or --into; to write the records as JSON, use --format json']
      : []),
  ];
  if (problems.length > 0) throw new CliError(EXIT.usage, problems.join('\n'));
  return { range, format, rowsOnly, table: table ?? [] };
}
