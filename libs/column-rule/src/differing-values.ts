import { countDistinct, type DistinctCountRequest } from '@understudy/generator';

/**
 * A new value that is never the row's old one rules out one candidate for the old one. With few values that reveals it:
 * with two, a new value is the exact opposite of the original.
 */
export const FEWEST_DIFFERING_VALUES = 20;
/** The same on a column whose originals an agent's policy protects. */
export const FEWEST_DIFFERING_VALUES_PROTECTED = 1_000;

/**
 * Checks whether a rule may say `differs`.
 * @returns what is wrong, in words; undefined when the rule produces enough distinct values
 */
export function tooFewToDiffer(
  request: Omit<DistinctCountRequest, 'limit'>,
  isProtected: boolean,
): string | undefined {
  const limit = isProtected ? FEWEST_DIFFERING_VALUES_PROTECTED : FEWEST_DIFFERING_VALUES;
  const count = countDistinct({ ...request, limit });
  if (count >= limit) return undefined;
  const where = isProtected ? 'on a column that the policy protects ' : '';
  return `true ${where}needs a rule with at least ${limit} distinct values, got ${count}: with fewer, a new value reveals what the old one was not. Leave it out, or let the rule produce more`;
}
