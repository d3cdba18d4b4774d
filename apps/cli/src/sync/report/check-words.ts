import type { VerificationCheck, VerificationKind } from '@understudy/sync-engine';

/** What one check looked at: `59 rows`, `3 preserved columns`. */
export function checkWords(check: VerificationCheck): string {
  if (check.kind === 'row_count') return count(check.rows.target, 'row');
  return count(check.lookedAt, NOUNS[check.kind]);
}

const NOUNS: Readonly<Record<Exclude<VerificationKind, 'row_count'>, string>> = {
  preserved_columns: 'preserved column',
  nulled_columns: 'nulled column',
  masked_columns: 'masked column that differs',
  foreign_keys: 'foreign key',
  sequences: 'sequence',
};

export function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  const [first = '', ...rest] = noun.split(' that ');
  return [`${number.toLocaleString('en')} ${first}s`, ...rest.map((words) => words.replace(/s$/, ''))].join(
    ' that ',
  );
}

/** `12.3 MB`, or in the unit that suits. */
export function megabytes(bytes: number): string {
  if (bytes < 1e5) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
