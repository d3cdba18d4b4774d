import { digitsOf, modulo, passesLuhn, weightedSum } from './checksums.js';

/** A type of national identity number, recognised by its format and check digits. */
export interface NationalId {
  readonly country: string;
  readonly name: string;
  /** True if other texts rarely pass the test. The column's name then needs no clue. */
  readonly isDistinct: boolean;
  readonly test: (text: string) => boolean;
}

export const NATIONAL_IDS: readonly NationalId[] = [
  // Areas 000, 666 and 900 to 999 are not assigned (SSA, "Social Security Number Randomization").
  {
    country: 'US',
    name: 'Social Security number',
    isDistinct: true,
    test: isSocialSecurityNumber,
  },
  {
    country: 'GB',
    name: 'National Insurance number',
    isDistinct: true,
    test: (text) =>
      /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]$/i.test(text),
  },
  { country: 'DE', name: 'Steuer-ID', isDistinct: true, test: ofDigits(11, isSteuerId) },
  { country: 'FR', name: 'numéro de sécurité sociale', isDistinct: true, test: isNir },
  { country: 'ES', name: 'DNI or NIE', isDistinct: true, test: isDni },
  {
    country: 'IT',
    name: 'codice fiscale',
    isDistinct: true,
    test: (text) => /^[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]$/i.test(text),
  },
  {
    country: 'NL',
    name: 'BSN',
    isDistinct: false,
    test: ofDigits(
      9,
      (digits) => digits !== '000000000' && weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
    ),
  },
  { country: 'PL', name: 'PESEL', isDistinct: true, test: ofDigits(11, isPesel) },
  { country: 'SE', name: 'personnummer', isDistinct: true, test: isPersonnummer },
  { country: 'BR', name: 'CPF', isDistinct: true, test: ofDigits(11, isCpf) },
];

export function isSocialSecurityNumber(text: string): boolean {
  return /^(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}$/.test(text);
}

/**
 * Returns the type of number that most values match, and the share of these values; undefined if none match.
 */
export function nationalIdOf(
  values: readonly string[],
): { readonly id: NationalId; readonly share: number } | undefined {
  const shares = NATIONAL_IDS.map((id) => ({
    id,
    share: values.filter(id.test).length / Math.max(1, values.length),
  }));
  const [best] = shares.sort((a, b) => b.share - a.share);
  return best === undefined || best.share === 0 ? undefined : best;
}

/** Tests for the format of an identity number of any country: 5 to 23 letters and digits, at least four of them digits. */
export function looksLikeIdNumber(text: string): boolean {
  return (
    /^[A-Z0-9][A-Z0-9 ./-]{4,22}$/i.test(text) &&
    (text.match(/\d/g) ?? []).length >= 4 &&
    !/^\d{4}-\d\d-\d\d/.test(text)
  );
}

function ofDigits(length: number, test: (digits: string) => boolean): (text: string) => boolean {
  return (text) => {
    const digits = digitsOf(text);
    return digits !== undefined && digits.length === length && test(digits);
  };
}

/**
 * Tests a German tax id. Exactly one of its first ten digits occurs two or three times, the others at most once. The
 * last digit is a check digit of ISO/IEC 7064, MOD 11,10.
 */
function isSteuerId(digits: string): boolean {
  if (digits.startsWith('0')) return false;
  const counts = [...'0123456789'].map((digit) => digits.slice(0, 10).split(digit).length - 1);
  const often = counts.filter((count) => count > 1);
  if (often.length !== 1 || (often[0] ?? 0) > 3) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits[10]);
}

/**
 * Tests a French NIR: sex, year, month, place of birth and number. The last two digits are 97 minus the
 * remainder of the others modulo 97. The departments 2A and 2B of Corsica count as 19 and 18.
 */
function isNir(text: string): boolean {
  const bare = text.replace(/[ .-]/g, '').toUpperCase();
  const [, sex = '', rest = '', key = ''] = /^([12])(\d{4}(?:\d\d|2[AB])\d{6})(\d\d)$/.exec(bare) ?? [];
  const month = Number(rest.slice(2, 4));
  if (sex === '' || month < 1 || month > 42) return false;
  return 97 - modulo(sex + rest.replace('2A', '19').replace('2B', '18'), 97) === Number(key);
}

function isDni(text: string): boolean {
  const [, first = '', digits = '', letter = ''] = /^([XYZ]?)-?(\d{7,8})-?([A-Z])$/i.exec(text) ?? [];
  const number = `${first === '' ? '' : 'XYZ'.indexOf(first.toUpperCase())}${digits}`;
  return number.length === 8 && 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === letter.toUpperCase();
}

/** Tests a Polish PESEL. The month contains an offset for the century. */
function isPesel(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 20;
  const day = Number(digits.slice(4, 6));
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return (10 - (weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(digits[10]);
}

/** Tests a Swedish personnummer, which begins with the date of birth. A samordningsnummer adds 60 to the day. */
function isPersonnummer(text: string): boolean {
  const [, date = '', number = ''] = /^(?:19|20)?(\d{6})[-+]?(\d{4})$/.exec(text) ?? [];
  const month = Number(date.slice(2, 4));
  const day = Number(date.slice(4, 6)) % 60;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 && passesLuhn(date + number);
}

function isCpf(digits: string): boolean {
  if (/^(\d)\1+$/.test(digits)) return false;
  return [9, 10].every((count) => {
    const weights = Array.from({ length: count }, (_, i) => count + 1 - i);
    return ((weightedSum(digits, weights) * 10) % 11) % 10 === Number(digits[count]);
  });
}
