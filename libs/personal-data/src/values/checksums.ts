/** The digits of a text that holds nothing but digits and blanks, hyphens or dots; undefined for any other. */
export function digitsOf(text: string): string | undefined {
  return /^[\d .-]+$/.test(text) ? text.replace(/[ .-]/g, '') : undefined;
}

/** The check digit of payment cards and others (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const twice = i % 2 === 1 ? digit * 2 : digit;
    sum += twice > 9 ? twice - 9 : twice;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** Sum of the digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}

/** Of a text of decimal digits of any length. */
export function modulo(digits: string, divisor: number): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % divisor;
  return rest;
}
