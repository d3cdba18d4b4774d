import { compileWord, logProbability, type NgramModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';

import { type AttackStrength, attackStrength } from './attack-strength.js';
import type { ColumnValue, NameColumn } from './name-column.js';

export interface MembershipResult {
  /** Has the model's file; scores a value by its probability. */
  readonly likelihood: AttackStrength;
  /** As well, but by how much likelier it is than under a model of the attacker's own values. */
  readonly calibrated: AttackStrength;
  /** Has a column filled from the model, and the model's probabilities: likely values that are missing were left out. */
  readonly absence: AttackStrength;
}

/** Rows of the column that the attacker by absence sees. */
export const ROWS_SEEN = 100_000;
/** Stands for the logarithm of a probability that is zero, where one is taken from the other. */
const NEVER = -50;

/** @param reference a model of `column.reference`, with everything in it */
export function membership(
  model: NgramModel,
  reference: NgramModel,
  column: NameColumn,
  round: number,
): MembershipResult {
  const seen = rowsOf(model, round);
  const attack = (score: (value: string) => number): AttackStrength => {
    const scores = (values: readonly ColumnValue[]): number[] => values.map(({ value }) => score(value));
    return attackStrength(scores(column.members), scores(column.outsiders));
  };
  return {
    likelihood: attack((value) => logProbability(model, value)),
    calibrated: attack(
      (value) =>
        Math.max(NEVER, logProbability(model, value)) - Math.max(NEVER, logProbability(reference, value)),
    ),
    // A value of which there is none says less than one that was made: that one is no member for certain.
    absence: attack((value) => (seen.has(value) ? -Infinity : Math.max(NEVER, logProbability(model, value)))),
  };
}

/** The different values of a column that the private defaults fill. */
function rowsOf(model: NgramModel, round: number): ReadonlySet<string> {
  const plan = compileWord(model, { excludeOriginals: true });
  const random = new RandomStream();
  const key = rootKey('privacy rows', round);
  return new Set(Array.from({ length: ROWS_SEEN }, (_, i) => plan.sample(random.seek(key, i))));
}
