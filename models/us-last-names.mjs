import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allLocales } from '@faker-js/faker';

// The shares of the census list go down to 0.00029; surnames beyond it are rarer.
const SHARE_OF_OTHERS = 0.0001;
// A misspelling, a particle, and invented spellings without a vowel where one belongs.
const LEFT_OUT = new Set(['Hilll', 'Von', 'Kshlerin', 'Zboncak', 'Wisozk', 'Mraz']);

/** The 1000 most frequent US surnames with their shares, and further ones of faker's, all equally rare. */
export const usLastNames = {
  options: {
    name: 'last_names',
    locale: 'en_US',
    order: 5,
    licence: 'MIT',
    source:
      'US Census surnames with frequencies, by Debian python3-fake-factory 0.9.3-2; @faker-js/faker 10.6.0, locale en',
  },
  values() {
    const shares = new Map(
      allLocales.en.person.last_name.generic
        .filter((name) => !LEFT_OUT.has(name))
        .map((name) => [name, SHARE_OF_OTHERS]),
    );
    for (const line of readFileSync(join(import.meta.dirname, 'sources', 'us-surnames.tsv'), 'utf8').split(
      '\n',
    )) {
      if (line === '') continue;
      const [name, share] = line.split('\t');
      shares.set(name, Number(share));
    }
    return [...shares].map(([name, share]) => [name, Math.round(share * 1e8)]);
  },
};
