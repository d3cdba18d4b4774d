/** The text by which PostgreSQL reads a produced value, null for NULL. Objects and arrays become JSON. */
export function textForm(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? null : JSON.stringify(value);
    default:
      return null;
  }
}
