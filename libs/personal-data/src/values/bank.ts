import { digitsOf, modulo, passesLuhn } from './checksums.js';

/** Tests for a card number: 13 to 19 digits with a known prefix and a valid check digit. */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  return (
    digits !== undefined &&
    /^(4|5[1-5]|2[2-7]|3[47]|6|30|36|38|35)/.test(digits) &&
    digits.length >= 13 &&
    digits.length <= 19 &&
    passesLuhn(digits)
  );
}

/**
 * Tests for text in the format of a card number. Accepts invalid check digits, and digits that are replaced
 * by `*`, `x` or `•`.
 */
export function looksLikeCard(text: string): boolean {
  return (
    /^[\d*xX•. -]{12,25}$/.test(text) && /\d{4}$/.test(text) && text.replace(/[^\d*xX•]/g, '').length >= 12
  );
}

/**
 * Tests for an IBAN (ISO 13616): the two letters of a country, two check digits and 11 to 30 more characters.
 * The number that ISO 13616 derives from these characters must be 1 modulo 97.
 */
export function isIban(text: string): boolean {
  const bare = text.replace(/ /g, '').toUpperCase();
  // References of creditors (ISO 11649) begin with RF and have the same check digits.
  if (!/^(?!RF)[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(bare)) return false;
  const moved = bare.slice(4) + bare.slice(0, 4);
  return (
    modulo(
      moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  );
}

/** Tests for text in the format of an IBAN or of an account number. Accepts invalid check digits. */
export function looksLikeAccount(text: string): boolean {
  return /^[A-Z]{2}\d\d[A-Z0-9 ]{11,38}$/i.test(text) || /^\d[\d -]{5,33}$/.test(text);
}
