import { countDistinct, type DistinctCountRequest } from '@understudy/generator';

/**
 * The smallest number of distinct values for a rule with `differs`. If a new value always differs from the
 * original value, it excludes one possible original value. With only two possible values, it would reveal the
 * original value.
 */
export const FEWEST_DIFFERING_VALUES = 20;
/** The same limit for a column that an agent's policy protects. */
export const FEWEST_DIFFERING_VALUES_PROTECTED = 1_000;

/**
 * Checks whether a rule produces enough distinct values for `differs`.
 * @returns an error message, or undefined if there are enough values
 */
export function tooFewToDiffer(
  request: Omit<DistinctCountRequest, 'limit'>,
  isProtected: boolean,
): string | undefined {
  const limit = isProtected ? FEWEST_DIFFERING_VALUES_PROTECTED : FEWEST_DIFFERING_VALUES;
  const count = countDistinct({ ...request, limit });
  if (count >= limit) return undefined;
  const where = isProtected ? 'on a column that the policy protects ' : '';
  return `true ${where}needs a rule with at least ${limit} distinct values, got ${count}: with fewer, a new value reveals too much about the original. Remove differs, or use a rule with more values`;
}
