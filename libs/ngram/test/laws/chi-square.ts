/**
 * Chi-square statistic in standard deviations from its mean; cells expected fewer than 8 times share one.
 * @param cells how often seen, how often expected
 * @param variance of how often a cell is seen, given how often it is expected
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
