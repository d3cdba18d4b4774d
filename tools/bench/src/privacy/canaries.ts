import { compileWord, type NgramModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';

import { summaryOf } from '../summary.js';
import type { ColumnValue } from './name-column.js';
import { randomSecret, SecretRanking } from './secret-ranking.js';

/**
 * How secrets are planted. `none`: the secret is not planted. `rows`: the secret is one value that occurs in
 * a number of rows. `values`: the secret is the beginning of a number of distinct values, such as `Qxvzjkwp
 * Emma`. `alike`: the same as `values`, but the rests of these values share their first letters, such as
 * `Qxvzjkwp Maria` and `Qxvzjkwp Mark`.
 */
type Planting = 'none' | 'rows' | 'values' | 'alike';

export interface CanaryGroup {
  readonly planted_in: Planting;
  readonly times: number;
  readonly secrets: readonly string[];
}

export type CanaryResult = ReturnType<typeof findCanaries>[number];

const GROUPS: readonly (readonly [planting: Planting, times: number])[] = [
  ['none', 0],
  ['rows', 1],
  ['rows', 5],
  ['rows', 50],
  ['values', 1],
  ['values', 5],
  ['values', 50],
  ['alike', 5],
];
const COMMON_LETTERS = 'Mar';
const SECRETS_A_GROUP = 20;
/** Number of values that are generated in search of the secrets. */
export const VALUES_GENERATED = 1_000_000;

export function randomCanaries(round: number): CanaryGroup[] {
  const random = new RandomStream().seek(rootKey('privacy canaries', 1), round);
  return GROUPS.map(([planted_in, times]) => ({
    planted_in,
    times,
    secrets: Array.from({ length: SECRETS_A_GROUP }, () => randomSecret(random)),
  }));
}

/** @returns the values together with the planted canaries */
export function plant(values: readonly ColumnValue[], groups: readonly CanaryGroup[]): ColumnValue[] {
  const alike = values.filter(({ value }) => value.startsWith(COMMON_LETTERS));
  const planted = groups.flatMap(({ planted_in, times, secrets }) =>
    secrets.flatMap((secret): ColumnValue[] => {
      if (planted_in === 'none') return [];
      if (planted_in === 'rows') return [{ value: secret, rows: times }];
      const others = planted_in === 'alike' ? alike : values;
      return others.slice(0, times).map(({ value }) => ({ value: `${secret} ${value}`, rows: 1 }));
    }),
  );
  return [...values, ...planted];
}

/**
 * Measures how well a model protects the canaries.
 * @param model a model that was trained on the result of `plant` for the same groups
 */
export function findCanaries(model: NgramModel, groups: readonly CanaryGroup[], round: number) {
  const ranking = new SecretRanking(model);
  const cameOut = beginnings(model, new Set(groups.flatMap(({ secrets }) => secrets)), round);
  return groups.map(({ planted_in, times, secrets }) => {
    const share = (has: (secret: string) => boolean): number => secrets.filter(has).length / secrets.length;
    return {
      planted_in,
      times,
      exposure_bits: summaryOf(secrets.map((secret) => ranking.exposureOf(secret))),
      /** Share of the secrets that the model could generate if training values were not excluded. */
      possible: share((secret) => ranking.probabilityOf(secret) > 0),
      /** Share of the secrets that are the beginning of a generated value. Training values are excluded. */
      came_out: share((secret) => cameOut.has(secret)),
    };
  });
}

/**
 * Finds the secrets that are the first word of a generated value. The values are generated with the default
 * options of private models.
 */
function beginnings(model: NgramModel, secrets: ReadonlySet<string>, round: number): ReadonlySet<string> {
  const plan = compileWord(model, { excludeOriginals: true });
  const random = new RandomStream();
  const key = rootKey('privacy canaries drawn', round);
  const found = new Set<string>();
  for (let i = 0; i < VALUES_GENERATED; i += 1) {
    const [word = ''] = plan.sample(random.seek(key, i)).split(' ', 1);
    if (secrets.has(word)) found.add(word);
  }
  return found;
}
