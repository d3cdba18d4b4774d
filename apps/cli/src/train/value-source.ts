import { existsSync } from 'node:fs';

import { CliError, fileError } from '../cli-error.js';
import { EXIT } from '../exit-code.js';

/** Where training values come from. */
export type ValueSource =
  | { readonly kind: 'lines'; readonly file: string }
  | {
      readonly kind: 'column';
      readonly file: string;
      readonly column: string;
      readonly delimiter: ',' | '\t';
    };

/**
 * Reads `names.txt`, `people.csv:first_name` or `-`. A file whose name has a colon is found as it is.
 * @throws CliError for a table without a column
 */
export function parseValueSource(text: string, exists: (file: string) => boolean = existsSync): ValueSource {
  const isTable = (file: string): boolean => /\.(csv|tsv)$/i.test(file);
  const colon = text.lastIndexOf(':');
  if (colon > 0 && isTable(text.slice(0, colon)) && !exists(text)) {
    const file = text.slice(0, colon);
    const column = text.slice(colon + 1);
    if (column === '')
      throw new CliError(EXIT.usage, `${text}: the name of a column is missing behind the colon`);
    return { kind: 'column', file, column, delimiter: /\.tsv$/i.test(file) ? '\t' : ',' };
  }
  if (isTable(text)) {
    if (!exists(text)) throw fileError(text, 'there is no such file');
    throw new CliError(EXIT.usage, `${text}: say which column, as in ${text}:name`);
  }
  return { kind: 'lines', file: text };
}
