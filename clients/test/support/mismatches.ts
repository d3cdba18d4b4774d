/**
 * Compares a JSON value with a pattern.
 *
 * - An object matches an object that has matching values for its keys. More keys are allowed.
 * - `null` matches null and a missing value.
 * - `{"$exactly": value}` allows no further keys below it. `{"$contains": "text"}` or a list of texts, and
 *   `{"$matches": "regular expression"}` match texts. `{"$between": [min, max]}` matches numbers.
 *   `{"$length": pattern}` matches lists and texts. `{"$not": pattern}` matches everything else, and
 *   `{"$any": patterns}` matches what one of the patterns matches.
 *
 * @returns one line for each difference
 */
export function mismatches(pattern: unknown, value: unknown, path: string): string[] {
  const differs = [`${path}: expected ${JSON.stringify(pattern)}, got ${shortened(value)}`];
  if (pattern === null || pattern === undefined) return value === null || value === undefined ? [] : differs;
  if (typeof pattern !== 'object') return Object.is(pattern, value) ? [] : differs;
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return differs;
    return pattern.flatMap((each, index) => mismatches(each, value[index], `${path}[${index}]`));
  }
  const [[operator, operand] = ['', undefined]] = Object.entries(pattern);
  if (operator.startsWith('$')) return holds(operator, operand, value) ? [] : differs;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return differs;
  return Object.entries(pattern).flatMap(([key, each]) =>
    mismatches(each, (value as Record<string, unknown>)[key], `${path}.${key}`),
  );
}

function holds(operator: string, operand: unknown, value: unknown): boolean {
  switch (operator) {
    case '$exactly':
      return canonical(operand) === canonical(value);
    case '$contains':
      return [operand].flat().every((part) => typeof value === 'string' && value.includes(String(part)));
    case '$matches':
      return typeof value === 'string' && new RegExp(String(operand), 's').test(value);
    case '$between': {
      const [min, max] = operand as [number, number];
      return typeof value === 'number' && value >= min && value <= max;
    }
    case '$length':
      return mismatches(operand, (value as { length?: unknown } | undefined)?.length, '').length === 0;
    case '$any':
      return (operand as unknown[]).some((each) => mismatches(each, value, '').length === 0);
    case '$not':
      return mismatches(operand, value, '').length > 0;
    default:
      throw new Error(`expected a known operator, got ${operator}`);
  }
}

/** JSON with sorted keys. A key whose value is null counts as missing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(
          Object.entries(each)
            .filter(([, inner]) => inner !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : each,
  );
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
