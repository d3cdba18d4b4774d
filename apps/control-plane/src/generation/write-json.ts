/**
 * JSON of a generated value, with integers above 2^53 in full: JSON has no limit there, and `JSON.stringify` refuses bigints.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof TypeError) return writeSlowly(value);
    throw error;
  }
}

function writeSlowly(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeSlowly).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${writeSlowly(item)}`).join(',')}}`;
}
