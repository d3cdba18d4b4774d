/** Strength of a score that distinguishes members from outsiders. */
export type AttackStrength = ReturnType<typeof attackStrength>;

const FALSE_ALARMS = 0.01;

/**
 * Computes the strength of an attack from the scores. Scores may be infinite, but not NaN. Cost O(n log n).
 * @throws Error if either list is empty
 */
export function attackStrength(members: readonly number[], outsiders: readonly number[]) {
  if (members.length === 0 || outsiders.length === 0)
    throw new Error('expected scores of both members and outsiders, received an empty list');
  const sorted = Float64Array.from(outsiders).sort();
  let wins = 0;
  for (const score of members) {
    const below = countBelow(sorted, score);
    wins += below + (countBelow(sorted, score, 'or equal') - below) / 2;
  }
  // The lowest threshold that at most one outsider in a hundred exceeds.
  const threshold = sorted[sorted.length - 1 - Math.floor(sorted.length * FALSE_ALARMS)] as number;
  const found = members.filter((score) => score > threshold).length;
  return {
    /**
     * Probability that a member has a higher score than an outsider, where ties count half. 0.5 is guessing, 1
     * is certainty.
     */
    auc: wins / (members.length * sorted.length),
    /**
     * Share of the members whose score is above a threshold that at most one outsider in a hundred exceeds.
     * 0.01 is guessing, 1 is certainty.
     */
    found_at_1_percent: found / members.length,
  };
}

/**
 * Counts the numbers of the ascending array that are below `limit`. With `or equal`, numbers equal to `limit`
 * are counted too. Cost O(log n).
 */
export function countBelow(sorted: Float64Array, limit: number, ties?: 'or equal'): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle] as number;
    if (other < limit || (ties !== undefined && other === limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}
