import { InvalidArgumentError } from 'commander';

/** Rows by number, the first being 0. */
export interface RowRange {
  readonly from: number;
  /** The row after the last one. */
  readonly to: number;
}

/** Reads `a..b`: the rows numbered a to b - 1, at least one. */
export function readRowRange(text: string): RowRange {
  const [, from = '', to = ''] = /^(\d{1,16})\.\.(\d{1,16})$/.exec(text) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (to !== '' && range.from < range.to && Number.isSafeInteger(range.to)) return range;
  throw new InvalidArgumentError('Expected a..b with a below b, as in 0..1000 for the rows 0 to 999.');
}
