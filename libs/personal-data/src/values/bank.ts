import { digitsOf, modulo, passesLuhn } from './checksums.js';

/** 13 to 19 digits of a scheme's range with the right check digit. */
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

/** What stands in columns of card numbers: whole, wrong ones of tests, or with most digits hidden. */
export function looksLikeCard(text: string): boolean {
  return (
    /^[\d*xX•. -]{12,25}$/.test(text) && /\d{4}$/.test(text) && text.replace(/[^\d*xX•]/g, '').length >= 12
  );
}

/** ISO 13616: two letters of a country, two check digits, up to 30 more; the whole is 1 modulo 97. */
export function isIban(text: string): boolean {
  const bare = text.replace(/ /g, '').toUpperCase();
  if (!/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(bare)) return false;
  const moved = bare.slice(4) + bare.slice(0, 4);
  return (
    modulo(
      moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  );
}

/** An IBAN, right or not, or an account number of digits. */
export function looksLikeAccount(text: string): boolean {
  return /^[A-Z]{2}\d\d[A-Z0-9 ]{11,38}$/i.test(text) || /^\d[\d -]{5,33}$/.test(text);
}
