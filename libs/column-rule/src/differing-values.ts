import { countDistinct, type DistinctCountRequest } from '@understudy/generator';

/**
 * The smallest number of distinct values for a rule with `differs`. If a new value always differs from the
 * original value, it excludes one possible original value. With only two possible values, it would reveal the
 * original value.
 */
export const FEWEST_DIFFERING_VALUES = 20;

/**
 * Checks whether a rule produces enough distinct values for `differs`. The cost is that of generating at most
 * 50 values for each value that is needed.
 * @param request the compiled rule, and its modifiers
 * @returns an error message, or undefined if there are enough values
 */
export function tooFewToDiffer(request: Omit<DistinctCountRequest, 'limit'>): string | undefined {
  const count = countDistinct({ ...request, limit: FEWEST_DIFFERING_VALUES });
  if (count >= FEWEST_DIFFERING_VALUES) return undefined;
  return `true needs a rule with at least ${FEWEST_DIFFERING_VALUES} distinct values, got ${count}: with fewer, a new value reveals too much about the original. Remove differs, or use a rule with more values`;
}
