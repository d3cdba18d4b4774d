import { decimalText, hasMembers, isExactDecimal } from '@understudy/expression';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return hasMembers(value) && !Array.isArray(value);
}

/** Returns an own member. Members of the prototype are ignored. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property of any name. An assignment to `__proto__` would change the prototype instead. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Describes the type of a value for a message, without the content of texts. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (isExactDecimal(value)) return 'a decimal with more digits than a double has';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'bigint') return 'an integer beyond 2^53';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  return typeof value === 'number' || typeof value === 'boolean'
    ? `the ${typeof value} ${value}`
    : typeof value;
}

/** Returns whether arrays and objects are nested deeper than `limit` levels. Stops at that depth. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (!hasMembers(value)) return false;
  if (limit === 0) return true;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(member, limit - 1));
}

const LONGEST_SHOWN = 64;

/** Appends a member to a path: `.name`, `[3]`, or `["odd name"]`. Long names are cut. */
export function joinPath(path: string, member: string | number): string {
  if (typeof member === 'number') return `${path}[${member}]`;
  const name = member.length > LONGEST_SHOWN ? `${member.slice(0, LONGEST_SHOWN)}…` : member;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*…?$/u.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/**
 * Returns a key for a Map. Different values have different keys. A single number is its own key, at no cost.
 * Any other key costs as much as writing the values as JSON.
 */
export function identityOf(values: readonly unknown[]): unknown {
  const [only] = values;
  if (values.length === 1 && typeof only === 'number') return only;
  return JSON.stringify(values, (_, value: unknown) => {
    // JSON has no exact numbers. They become texts with a prefix that no other text can have here.
    if (isExactDecimal(value)) return `\0n${decimalText(value)}`;
    if (typeof value === 'bigint') return `\0n${value}`;
    return typeof value === 'string' && value.startsWith('\0') ? `\0${value}` : value;
  });
}
