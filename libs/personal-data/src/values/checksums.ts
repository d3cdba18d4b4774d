/** Returns the digits of a text of digits, spaces, hyphens and dots; undefined for any other text. */
export function digitsOf(text: string): string | undefined {
  return /^[\d .-]+$/.test(text) ? text.replace(/[ .-]/g, '') : undefined;
}

/** Tests the Luhn check digit, which payment cards and other numbers have (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const twice = i % 2 === 1 ? digit * 2 : digit;
    sum += twice > 9 ? twice - 9 : twice;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** Returns the sum of the digits, each multiplied by its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}

/** Returns the remainder of a decimal number of any length. */
export function modulo(digits: string, divisor: number): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % divisor;
  return rest;
}
