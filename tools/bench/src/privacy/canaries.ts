import { compileWord, type NgramModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';

import { spreadOf, type Spread } from '../spread.js';
import type { ColumnValue } from './name-column.js';
import { drawSecret, SecretRanking } from './secret-ranking.js';

/**
 * `rows`: the secret is one value, in so many rows. `values`: it begins so many distinct values, such as `Qxvzjkwp Emma`.
 * `alike`: as well, and the values go on alike, as addresses do that share a domain: `Qxvzjkwp Maria`, `Qxvzjkwp Mark`.
 */
type Planting = 'none' | 'rows' | 'values' | 'alike';

export interface CanaryGroup {
  readonly planted_in: Planting;
  readonly times: number;
  readonly secrets: readonly string[];
}

export interface CanaryResult {
  readonly planted_in: Planting;
  readonly times: number;
  readonly exposure_bits: Spread;
  /** The share of the secrets that the model can make at all, originals not excluded. */
  readonly possible: number;
  /** The share that was the beginning of a drawn value, originals excluded. */
  readonly came_out: number;
}

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
const ALIKE = 'Mar';
const SECRETS_A_GROUP = 20;
/** Values drawn in search of the secrets. */
export const VALUES_DRAWN = 1_000_000;

export function drawCanaries(round: number): CanaryGroup[] {
  const random = new RandomStream().seek(rootKey('privacy canaries', 1), round);
  return GROUPS.map(([planted_in, times]) => ({
    planted_in,
    times,
    secrets: Array.from({ length: SECRETS_A_GROUP }, () => drawSecret(random)),
  }));
}

/** The values with the canaries among them. */
export function plant(values: readonly ColumnValue[], groups: readonly CanaryGroup[]): ColumnValue[] {
  const alike = values.filter(({ value }) => value.startsWith(ALIKE));
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

/** @param model of what `plant` gave for the groups */
export function findCanaries(
  model: NgramModel,
  groups: readonly CanaryGroup[],
  round: number,
): CanaryResult[] {
  const ranking = new SecretRanking(model);
  const cameOut = beginnings(model, new Set(groups.flatMap(({ secrets }) => secrets)), round);
  return groups.map(({ planted_in, times, secrets }) => {
    const share = (has: (secret: string) => boolean): number => secrets.filter(has).length / secrets.length;
    return {
      planted_in,
      times,
      exposure_bits: spreadOf(secrets.map((secret) => ranking.exposureOf(secret))),
      possible: share((secret) => ranking.probabilityOf(secret) > 0),
      came_out: share((secret) => cameOut.has(secret)),
    };
  });
}

/** Those of the secrets that values begin with which the private defaults make. */
function beginnings(model: NgramModel, secrets: ReadonlySet<string>, round: number): ReadonlySet<string> {
  const plan = compileWord(model, { excludeOriginals: true });
  const random = new RandomStream();
  const key = rootKey('privacy canaries drawn', round);
  const found = new Set<string>();
  for (let i = 0; i < VALUES_DRAWN; i += 1) {
    const [word = ''] = plan.sample(random.seek(key, i)).split(' ', 1);
    if (secrets.has(word)) found.add(word);
  }
  return found;
}
