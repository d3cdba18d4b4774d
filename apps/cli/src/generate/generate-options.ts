import { type QualifiedName, readSqlName } from '@understudy/records';

import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';
import type { Format } from './row-layout.js';
import type { RowRange } from './generation-task.js';

/** As the command line gives them. */
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

/** What they ask for together. */
export interface GenerateRequest {
  readonly range: RowRange;
  readonly format: Format;
  readonly rowsOnly: boolean;
  /** Empty where the format names none. */
  readonly table: QualifiedName;
}

/** @throws CliError with everything that does not go together */
export function readRequest(options: GenerateOptions): GenerateRequest {
  const { count, into, range = { from: 0, to: count } } = options;
  const format = into === undefined ? (options.format ?? 'json') : 'copy';
  const rowsOnly = into !== undefined || options.rowsOnly === true;
  const needsTable = into !== undefined || format === 'sql' || (format === 'copy' && !rowsOnly);
  const table = options.table === undefined ? [] : readSqlName(options.table);
  const problems = [
    ...(range.to > count ? [`--range ends at ${range.to}, after the last row of --count ${count}`] : []),
    ...(options.range && options.seed === undefined
      ? ['--range needs --seed: parts of the same data have the same seed']
      : []),
    ...(needsTable && options.table === undefined
      ? [`${into === undefined ? `--format ${format}` : '--into'} needs --table`]
      : []),
    ...(!needsTable && options.table !== undefined ? [`--table means nothing with --format ${format}`] : []),
    ...(table === undefined
      ? ['--table: expected a name as SQL writes it, as in people or "Sales".people']
      : []),
    ...(options.rowsOnly && !['csv', 'copy'].includes(format)
      ? [`--rows-only means nothing with --format ${format}`]
      : []),
    ...(into === undefined
      ? []
      : [
          ...(options.format === undefined ? [] : ['--into has a format of its own: leave out --format']),
          ...(options.rowsOnly ? ['--rows-only means nothing with --into'] : []),
          ...(options.out === undefined ? [] : ['--out and --into exclude each other']),
        ]),
    ...(options.json && into === undefined && options.out === undefined
      ? ['--json is the report of --out or --into; the records themselves are --format json']
      : []),
  ];
  if (problems.length > 0) throw new CliError(EXIT.usage, problems.join('\n'));
  return { range, format, rowsOnly, table: table ?? [] };
}
