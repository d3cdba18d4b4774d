/** Names what came without quoting it: strings may be URLs, patterns or secrets. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return 'an object';
}

/** `expected an integer from 1 to 100, got a string of 3 characters` */
export function expectedButGot(what: string, value: unknown): string {
  return value === undefined ? `is required: expected ${what}` : `expected ${what}, got ${kindOf(value)}`;
}
