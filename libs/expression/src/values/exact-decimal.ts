/**
 * A decimal that no double prints with these digits: `unscaled / 10 ** scale`. It is plain data, so it can be
 * sent to a thread, and `JSON.stringify` refuses it as it refuses any bigint. The member `text` marks it: no
 * value that was parsed from JSON has a member that is undefined.
 */
export interface ExactDecimal {
  readonly unscaled: bigint;
  /** The number of digits after the point, at least 1. */
  readonly scale: number;
  readonly text: undefined;
}

export function exactDecimal(unscaled: bigint, scale: number): ExactDecimal {
  return { unscaled, scale, text: undefined };
}

export function isExactDecimal(value: unknown): value is ExactDecimal {
  if (typeof value !== 'object' || value === null) return false;
  return 'unscaled' in value && 'text' in value && value.text === undefined && Object.hasOwn(value, 'text');
}

/** Returns whether a value is an array or an object with members. Every other value is a single one. */
export function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isExactDecimal(value);
}

/** Writes all digits, such as `-0.12345678901234567890`. */
export function decimalText({ unscaled, scale }: ExactDecimal): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled)
    .slice(sign.length)
    .padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Compares the exact values of any two numbers, as decimals. Costs time in proportion to their exponents. */
export function compareDecimals(left: ExactDecimal, right: ExactDecimal): number {
  const scale = Math.max(left.scale, right.scale);
  const [a, b] = [scaled(left, scale), scaled(right, scale)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function scaled({ unscaled, scale }: ExactDecimal, to: number): bigint {
  return unscaled * 10n ** BigInt(to - scale);
}
