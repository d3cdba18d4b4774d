/**
 * Order of semantic versions (semver.org, 11), the highest first; versions that differ in build metadata alone go by
 * their text. Both must be versions.
 */
export function highestFirst(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [index, part] of left.core.entries()) {
    const difference = (right.core[index] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return comparePrereleases(right.prerelease, left.prerelease) || (a < b ? 1 : -1);
}

function partsOf(version: string): { core: number[]; prerelease: string[] } {
  const [withoutBuild = ''] = version.split('+');
  const dash = withoutBuild.indexOf('-');
  const core = dash < 0 ? withoutBuild : withoutBuild.slice(0, dash);
  return {
    core: core.split('.').map(Number),
    prerelease: dash < 0 ? [] : withoutBuild.slice(dash + 1).split('.'),
  };
}

/** A release comes after its pre-releases; numbers before texts; more identifiers after fewer. */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [x, y] = [a[index], b[index]];
    if (x === undefined) return -1;
    if (y === undefined) return 1;
    if (x !== y) return compareIdentifiers(x, y);
  }
  return 0;
}

function compareIdentifiers(x: string, y: string): number {
  const [xIsNumber, yIsNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
  if (xIsNumber && yIsNumber && Number(x) !== Number(y)) return Number(x) - Number(y);
  if (xIsNumber !== yIsNumber) return xIsNumber ? -1 : 1;
  return x < y ? -1 : 1;
}
