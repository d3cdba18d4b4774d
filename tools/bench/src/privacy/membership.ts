import { compileWord, logProbability, type NgramModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';

import { type AttackStrength, attackStrength } from './attack-strength.js';
import type { ColumnValue, NameColumn } from './name-column.js';

export type MembershipResult = ReturnType<typeof membership>;

/** Number of rows that the `absence` attack reads. */
export const ROWS_SEEN = 100_000;
/**
 * Scores use this value instead of any lower log-probability, because −Infinity minus −Infinity is not a
 * number.
 */
const NEVER = -50;

/** Runs the membership attacks. @param reference a model that was trained on all of `column.reference` */
export function membership(model: NgramModel, reference: NgramModel, column: NameColumn, round: number) {
  const seen = rowsOf(model, round);
  const attack = (score: (value: string) => number): AttackStrength => {
    const scores = (values: readonly ColumnValue[]): number[] => values.map(({ value }) => score(value));
    return attackStrength(scores(column.members), scores(column.outsiders));
  };
  return {
    /** Attack by a reader of the model's file: the score of a value is its probability. */
    likelihood: attack((value) => logProbability(model, value)),
    /**
     * Attack by a reader of the model's file who also has a model of their own values: the score is the ratio
     * of the two probabilities.
     */
    calibrated: attack(
      (value) =>
        Math.max(NEVER, logProbability(model, value)) - Math.max(NEVER, logProbability(reference, value)),
    ),
    /**
     * Attack by a reader of a column that the model filled, who also has the probabilities of the model. The
     * model never generates its training values. So a likely value that is missing in the column is probably one
     * of them. A value that was generated is certainly not a member, so it gets a lower score than a value with
     * probability zero.
     */
    absence: attack((value) => (seen.has(value) ? -Infinity : Math.max(NEVER, logProbability(model, value)))),
  };
}

/**
 * @returns the distinct values of a column that the model fills with the default options of private models
 */
function rowsOf(model: NgramModel, round: number): ReadonlySet<string> {
  const plan = compileWord(model, { excludeOriginals: true });
  const random = new RandomStream();
  const key = rootKey('privacy rows', round);
  return new Set(Array.from({ length: ROWS_SEEN }, (_, i) => plan.sample(random.seek(key, i))));
}
