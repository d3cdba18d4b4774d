import { compileWord, logProbability, type NgramModel } from '@understudy/ngram';
import { RandomStream, rootKey } from '@understudy/random';

import { type AttackStrength, attackStrength } from './attack-strength.js';
import type { ColumnValue, NameColumn } from './name-column.js';

export interface MembershipResult {
  /** Attack with the model's file: the score of a value is its probability. */
  readonly likelihood: AttackStrength;
  /**
   * Attack with the model's file and with a model of the attacker's own values: the score is the ratio of the
   * two probabilities.
   */
  readonly calibrated: AttackStrength;
  /**
   * Attack with a column that the model filled, and with the model's probabilities. A likely value that is
   * missing in the column was probably excluded as an original.
   */
  readonly absence: AttackStrength;
}

/** Number of rows that the `absence` attack reads. */
export const ROWS_SEEN = 100_000;
/** The lowest logarithm of a probability in scores, because −Infinity minus −Infinity is not a number. */
const NEVER = -50;

/** Runs the membership attacks. @param reference a model that was trained on all of `column.reference` */
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
    // A value that was generated is certainly not a member, so it gets a lower score than a value with
    // probability zero.
    absence: attack((value) => (seen.has(value) ? -Infinity : Math.max(NEVER, logProbability(model, value)))),
  };
}

/** @returns the distinct values of a column that is filled with the private defaults */
function rowsOf(model: NgramModel, round: number): ReadonlySet<string> {
  const plan = compileWord(model, { excludeOriginals: true });
  const random = new RandomStream();
  const key = rootKey('privacy rows', round);
  return new Set(Array.from({ length: ROWS_SEEN }, (_, i) => plan.sample(random.seek(key, i))));
}
