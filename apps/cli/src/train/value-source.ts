import { existsSync } from 'node:fs';

import { CliError, fileError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';

/** The source of training values: lines of a file, or a column of a table. */
export type ValueSource =
  | { readonly kind: 'lines'; readonly file: string }
  | {
      readonly kind: 'column';
      readonly file: string;
      readonly column: string;
      readonly delimiter: ',' | '\t';
    };

/**
 * Parses `names.txt`, `people.csv:first_name` or `-`. If a file has the whole text as its name, the text means
 * that file, even if it contains a colon.
 * @throws CliError if the text contains a CSV or TSV file without a column
 */
export function parseValueSource(text: string, exists: (file: string) => boolean = existsSync): ValueSource {
  const isTable = (file: string): boolean => /\.(csv|tsv)$/i.test(file);
  const colon = text.lastIndexOf(':');
  if (colon > 0 && isTable(text.slice(0, colon)) && !exists(text)) {
    const file = text.slice(0, colon);
    const column = text.slice(colon + 1);
    if (column === '')
      throw new CliError(EXIT.usage, `${text}: expected the name of a column after the colon`);
    return { kind: 'column', file, column, delimiter: /\.tsv$/i.test(file) ? '\t' : ',' };
  }
  if (isTable(text)) {
    if (!exists(text)) throw fileError(text, 'there is no such file');
    throw new CliError(EXIT.usage, `${text}: name a column, as in ${text}:name`);
  }
  return { kind: 'lines', file: text };
}
