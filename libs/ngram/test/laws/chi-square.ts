/**
 * Returns by how many standard deviations the chi-square statistic differs from its mean. Cells with an
 * expected count below 8 are merged.
 * @param cells pairs of observed and expected counts
 * @param variance takes the expected count of a cell and returns the variance of its observed count
 */
export function chiSquare(
  cells: readonly (readonly [number, number])[],
  variance: (expected: number) => number = (expected) => expected,
): number {
  let [restSeen, restExpected, sum, degrees] = [0, 0, 0, -1];
  const add = (seen: number, expected: number) => {
    sum += (seen - expected) ** 2 / variance(expected);
    degrees += 1;
  };
  for (const [seen, expected] of cells) {
    if (expected >= 8) {
      add(seen, expected);
    } else {
      restSeen += seen;
      restExpected += expected;
    }
  }
  if (restExpected >= 8) add(restSeen, restExpected);
  return degrees <= 0 ? 0 : (sum - degrees) / Math.sqrt(2 * degrees);
}
