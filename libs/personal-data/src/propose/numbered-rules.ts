import { composed, digitList, digits, integer, letterList, type RuleDefinition } from './rule-definitions.js';

// Returns an expression for the digit sum of twice a digit: 0 2 4 6 8 1 3 5 7 9.
const doubled = (digit: string): string => `(${digit} > 4 ? ${digit} * 2 - 9 : ${digit} * 2)`;

/**
 * Returns a rule that generates card numbers of sixteen digits with a valid check digit, in a range of test numbers.
 * @param grouped whether to separate groups of four digits, as in 4000 0012 3456 7899
 */
export function cardRule(grouped: boolean): RuleDefinition {
  // Luhn doubles the first, third, … of sixteen digits: the leading 4, and d[0] (the seventh digit), d[2] and
  // so on.
  const terms = Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? doubled(`d[${i}]`) : `d[${i}]`));
  const check = { computed: `(10 - (8 + ${terms.join(' + ')}) % 10) % 10` };
  const steps = { d: digitList(9), check };
  const text = "{{join(d, '')}}{{check}}";
  return grouped
    ? composed(
        { ...steps, text: { body: text } },
        '4000 00{{substring(text, 0, 2)}} {{substring(text, 2, 6)}} {{substring(text, 6, 10)}}',
      )
    : composed(steps, `400000${text}`);
}

/**
 * The number of digits after the check digits, by country. Lists only countries whose IBANs contain no
 * letters after the check digits (SWIFT IBAN Registry).
 */
export const IBAN_DIGITS: Readonly<Record<string, number>> = {
  DE: 18,
  AT: 16,
  BE: 12,
  DK: 14,
  ES: 20,
  FI: 14,
  NO: 11,
  PL: 24,
  PT: 21,
  SE: 20,
  CZ: 20,
};

/** Returns a rule that generates IBANs with valid check digits and random account numbers. */
export function ibanRule(country: string, grouped: boolean): RuleDefinition {
  const count = IBAN_DIGITS[country] ?? 18;
  const parts = count > 14 ? [count - 14, 7, 7] : [count - 7, 7];
  const names = ['a', 'b', 'c'];
  const letters = [...country].map((letter) => String(letter.charCodeAt(0) - 55)).join('');
  // Computes account, country and 00 modulo 97 in pieces that are small enough for exact arithmetic.
  const rest = parts.reduce((sum, length, i) => `((${sum}) * ${10 ** length % 97} + ${names[i]}) % 97`, '0');
  const steps = {
    ...Object.fromEntries(parts.map((length, i) => [names[i], integer(0, 10 ** length - 1)])),
    check: { computed: `98 - ((${rest}) * ${1_000_000 % 97} + ${Number(`${letters}00`) % 97}) % 97` },
    text: {
      body: `${country}{{pad_start(check, 2, '0')}}${parts.map((length, i) => `{{pad_start(${names[i]}, ${length}, '0')}}`).join('')}`,
    },
  };
  if (!grouped) return composed(steps, '{{text}}');
  const groups = Array.from(
    { length: Math.ceil((count + 4) / 4) },
    (_, i) => `{{substring(text, ${4 * i}, ${Math.min(count + 4, 4 * i + 4)})}}`,
  );
  return composed(steps, groups.join(' '));
}

/**
 * Rules that generate national identity numbers, by country. The numbers are in unassigned ranges if the
 * country has such ranges. Their check digits are valid if the expression language can compute them.
 */
export const NATIONAL_ID_RULES: Readonly<Record<string, RuleDefinition>> = {
  // Areas from 900 are never assigned.
  US: composed({ a: integer(900, 999), b: integer(10, 99), c: digits(4) }, '{{a}}-{{b}}-{{c}}'),
  // No real number has the prefix QQ.
  GB: composed({ d: digits(6), s: { type: 'list', values: ['A', 'B', 'C', 'D'] } }, 'QQ{{d}}{{s}}'),
  ES: composed(
    {
      n: integer(0, 99_999_999),
      letter: { computed: "substring('TRWAGMYFPDXBNJZSQVHLCKE', n % 23, n % 23 + 1)" },
    },
    "{{pad_start(n, 8, '0')}}{{letter}}",
  ),
  // Department 99 means a birth abroad. The next three digits are the country.
  FR: composed(
    {
      s: integer(1, 2),
      y: integer(0, 99),
      m: integer(1, 12),
      c: integer(101, 999),
      n: integer(1, 999),
      head: { computed: 's * 1000000 + y * 10000 + m * 100 + 99' },
      key: { computed: '97 - ((head % 97) * 27 + c * 1000 + n) % 97' },
    },
    "{{head}}{{c}}{{pad_start(n, 3, '0')}}{{pad_start(key, 2, '0')}}",
  ),
  PL: composed(
    {
      y: integer(40, 99),
      m: integer(1, 12),
      t: integer(1, 28),
      d: digitList(4),
      head: { body: "{{pad_start(y, 2, '0')}}{{pad_start(m, 2, '0')}}{{pad_start(t, 2, '0')}}" },
      sum: {
        computed:
          'floor(y / 10) + (y % 10) * 3 + floor(m / 10) * 7 + (m % 10) * 9 + floor(t / 10) + (t % 10) * 3 + d[0] * 7 + d[1] * 9 + d[2] + d[3] * 3',
      },
    },
    "{{head}}{{join(d, '')}}{{(10 - sum % 10) % 10}}",
  ),
  BR: composed(
    {
      d: digitList(9),
      a: {
        computed: `((${Array.from({ length: 9 }, (_, i) => `d[${i}] * ${10 - i}`).join(' + ')}) * 10 % 11) % 10`,
      },
      b: {
        computed: `((${Array.from({ length: 9 }, (_, i) => `d[${i}] * ${11 - i}`).join(' + ')} + a * 2) * 10 % 11) % 10`,
      },
      text: { computed: "join(d, '')" },
    },
    '{{substring(text, 0, 3)}}.{{substring(text, 3, 6)}}.{{substring(text, 6, 9)}}-{{a}}{{b}}',
  ),
  SE: composed(
    {
      y: integer(40, 99),
      m: integer(1, 12),
      t: integer(1, 28),
      d: digitList(3),
      head: { body: "{{y}}{{pad_start(m, 2, '0')}}{{pad_start(t, 2, '0')}}" },
      a: { computed: 'floor(y / 10)' },
      c: { computed: 'floor(m / 10)' },
      e: { computed: 'floor(t / 10)' },
      sum: {
        computed: `${doubled('a')} + y % 10 + ${doubled('c')} + m % 10 + ${doubled('e')} + t % 10 + ${doubled('d[0]')} + d[1] + ${doubled('d[2]')}`,
      },
    },
    "{{head}}-{{join(d, '')}}{{(10 - sum % 10) % 10}}",
  ),
  IT: composed(
    { l: letterList(8), d: digits(7), m: { type: 'list', values: [...'ABCDEHLMPRST'] } },
    '{{l[0]}}{{l[1]}}{{l[2]}}{{l[3]}}{{l[4]}}{{l[5]}}{{substring(d, 0, 2)}}{{m}}{{substring(d, 2, 4)}}{{l[6]}}{{substring(d, 4, 7)}}{{l[7]}}',
  ),
};
