import { isNetwork } from './network.js';
import { isBytes } from './technical.js';

export function isEmail(text: string): boolean {
  const [, domain] =
    (text.length <= 320 && /^[^\s@<>(),;:"]{1,64}@([\p{L}\d][\p{L}\p{M}\d.-]*)$/u.exec(text)) || [];
  return domain !== undefined && isMailDomain(domain);
}

/** Extensions of files and units of systemd, as in `icon@2x.png` and `getty@tty1.service`. None is a top-level domain. */
const FILE_EXTENSIONS =
  /\.(?:png|jpe?g|gif|svg|webp|bmp|ico|css|s[ac]ss|less|[cm]?[jt]sx?|json|ya?ml|xml|html?|txt|csv|pdf|woff2?|map|lock|service|socket|timer|slice|mount|target)$/i;

/** Tests for the domain of an e-mail address. Rejects versions, as in `npm@1.2.3`, and names of files. */
export function isMailDomain(domain: string): boolean {
  return (
    domain.length <= 253 &&
    /\.(?:\p{L}{2,24}|xn--[a-z\d-]{2,59})$/iu.test(domain) &&
    !/^v?\d+\.\d|\.\./i.test(domain) &&
    !FILE_EXTENSIONS.test(domain)
  );
}

/** The number of entries of a list that are tested. */
const MAX_ENTRIES = 50;

/**
 * Tests whether a text is an e-mail address, also with the name of a person or `mailto:`, or a list of these:
 * `Jon Doe <jon@mail.example>, mailto:ann@mail.example`.
 */
export function isEmailList(text: string): boolean {
  if (!text.includes('@')) return false;
  const entries = text.includes('<') ? text.split(/[,;\n]/) : text.split(/[\s,;|]+/);
  return entries
    .filter((entry) => entry.trim() !== '')
    .slice(0, MAX_ENTRIES)
    .every((entry) => isEmailEntry(entry.trim()));
}

function isEmailEntry(entry: string): boolean {
  const inBrackets = /^[^<>@]{0,100}<([^<>]+)>$/.exec(entry)?.[1] ?? entry;
  return isEmail(inBrackets.replace(/^['"]|['"]$/g, '').replace(/^mailto:([^?]+)(?:\?.*)?$/i, '$1'));
}

/** The codes of countries (ITU-T E.164) that take 6 to 12 more digits. Those of North America and Russia take ten. */
const CALLING_CODE =
  '(?:2(?:0|7|[1-69]\\d)|3(?:[0-469]|[578]\\d)|4(?:[013-9]|2\\d)|5(?:[1-8]|[09]\\d)|6(?:[0-6]|[7-9]\\d)|8(?:[1246]|[0578]\\d)|9(?:[0-58]|[67]\\d|9[1-8]))';
const INTERNATIONAL = new RegExp(`^(?:[17]\\d{10}|${CALLING_CODE}\\d{6,12})$`);
const COUNTRY = new RegExp(`^(?:[17]|${CALLING_CODE})$`);

/**
 * Tests for a phone number with `+` or `00` and the code of a country. If separators follow `00`, the first group must
 * be the code, because serial numbers look the same.
 */
export function isInternationalPhone(text: string): boolean {
  const [, prefix = '', number = ''] = /^(\+|00)([1-9][\d ()./-]*\d)$/.exec(text) ?? [];
  const group = /^\d+/.exec(number)?.[0] ?? '';
  const isCode = prefix === '+' || group === number || COUNTRY.test(group);
  return isCode && INTERNATIONAL.test(number.replace(/\D/g, ''));
}

/** Tests for a format that only phone numbers have, with an international prefix or an area code in brackets. */
export function isWrittenAsPhone(text: string): boolean {
  const number = text.trim();
  // Serial numbers of thirteen digits begin with 001, too.
  if (isInternationalPhone(number)) return !/^001\d+$/.test(number);
  return /^(?:\(0\d{1,4}\)[ -]?\d[\d /-]{4,12}|\(\d\d\)[ -]?\d[\d /-]{6,12}|\([2-9]\d\d\)[ -]?\d{3}[ .-]?\d{4})(?: ?(?:x|ext\.?) ?\d{1,6})?$/.test(
    number,
  );
}

/** Tests for a possible phone number: seven to fifteen digits with separators, and possibly an extension. */
export function looksLikePhone(text: string): boolean {
  const [, number = ''] = /^([+\d(][\d ()./-]*)(?: ?(?:x|ext\.?|#) ?\d{1,6})?$/i.exec(text.trim()) ?? [];
  const digits = number.replace(/\D/g, '').length;
  return (
    digits >= 7 && digits <= 15 && !/^\d{4}-\d\d-\d\d|^\d+\.\d{1,3}$|^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)
  );
}

const STREET_WORDS =
  /(?:^|[\s,\d])(?:street|road|avenue|boulevard|crescent|highway|hwy|parkway|pkwy|rue|chemin|impasse|quai|all[eé]es?|calle|avenida|avda|plaza|paseo|carrera|viale|piazza|vicolo|rua|travessa|alameda|rodovia|ulica|aleja|osiedle|ulice|sokak|caddesi|пер|пр-т|ул)(?:$|[\s.,])|(?:stra(?:ß|ss)e|str\.?|weg|platz|gasse|allee|damm|ufer|ring|laan|straat|plein|gracht|kade|dreef|gatan|vägen|gränd|torget|stigen|katu|tie|kuja|丁目|番地)(?:$|[\s,\d.-])/iu;

const anyCase = (words: string): string =>
  words
    .split(' ')
    .flatMap((word) => [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`, word.toUpperCase()])
    .join('|');

/** Words with other meanings, which count only behind a name in capitals or a number, or before a name in capitals. */
const SHORT_STREET_WORDS = new RegExp(
  `(?:\\p{Lu}[\\p{L}\\p{M}'’.-]*|(?:^|[\\s,])\\d{1,6}\\p{L}{0,2}(?: \\p{L}[\\p{L}'’-]*){0,2})\\s+` +
    `(?:${anyCase('st rd ave av lane ln drive dr blvd court ct way place pl square sq terrace close cad mah')})(?:$|[\\s.,])` +
    `|(?:^|[\\s,])(?:${anyCase('c/ via corso ul al os av')})\\.? ?\\p{Lu}`,
  'u',
);

/** Tests for a street address: a text with a digit and a word such as `street`. */
export function isStreet(text: string): boolean {
  return text.length <= 200 && /\d/.test(text) && (STREET_WORDS.test(text) || SHORT_STREET_WORDS.test(text));
}

/** Tests for possible text of a street address. Rejects URLs, hashes, and addresses of mail, networks and wallets. */
export function looksLikeStreet(text: string): boolean {
  return (
    text.length <= 250 &&
    /\p{L}{2}|^\d{1,5} ?\p{L}?$/u.test(text) &&
    !/[@{}<>=]|:\/\//.test(text) &&
    !isBytes(text) &&
    !isNetwork(text)
  );
}

/** Tests for a house number: digits, possibly with a letter or a second number. */
export function isHouseNumber(text: string): boolean {
  return /^\d{1,5} ?\p{L}?(?: ?[-/] ?\d{1,5} ?\p{L}?)?$/u.test(text);
}

/**
 * Tests for a postcode: one or two short groups with a digit, such as `10115`, `SW1A 1AA`, `1012 AB` or `00-950`,
 * possibly with a country before it, as in `D-10115`.
 */
export function isPostcode(text: string): boolean {
  return /^(?=.*\d)(?:[A-Z]{1,3}-)?[A-Z0-9]{2,8}(?:[ -][A-Z0-9]{2,5})?$/i.test(text) && text.length <= 10;
}

/** Tests for a possible name of a town: up to six words without digits. */
export function looksLikeTown(text: string): boolean {
  return /^\p{L}[\p{L}\p{M}' .,()/-]{1,79}$/u.test(text) && text.split(/\s+/).length <= 6;
}
