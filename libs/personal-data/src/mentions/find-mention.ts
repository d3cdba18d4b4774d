import { isCardNumber, isIban } from '../values/bank.js';
import { isInternationalPhone, isMailDomain } from '../values/contact.js';
import { isSocialSecurityNumber } from '../values/national-ids.js';
import { decodeEscapes } from './decode-escapes.js';
import { hasPersonalField } from './personal-field.js';

/** The kinds of personal values that a text can mention: an e-mail address, a phone number, or another one. */
export type Mention = 'email' | 'phone' | 'other';

/** The longest part of a text that can be one mention. */
export const LONGEST_MENTION = 400;

/**
 * Finds an e-mail address in a text, or otherwise a phone number or another personal value. The latter is an IBAN, a
 * card number, a Social Security number, or a value with a label, as in `ssn=…`.
 * @param isEnd whether the text ends here; if not, a mention at its end may continue, and does not count
 */
export function findMention(text: string, isEnd: boolean): Mention | undefined {
  const decoded = decodeEscapes(text);
  if (mentionsEmail(decoded, isEnd)) return 'email';
  const plain = decoded.replaceAll(UUID, ' ');
  if (
    matches(plain, IBAN, isEnd, isIban) ||
    matches(plain, CARD, isEnd, isCardNumber) ||
    matches(plain, SOCIAL_SECURITY, isEnd, isSocialSecurityNumber)
  )
    return 'other';
  // Groups of digits in an IBAN can look like a phone number.
  if (matches(plain, PHONE, isEnd, isPhone)) return 'phone';
  return hasPersonalField(plain, isEnd) ? 'other' : undefined;
}

/** Its groups of digits can look like a phone number. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/**
 * A number inside a word, as in a hash, is no phone number, and `+1.25` is a number. A number without `+` and brackets
 * needs a separator behind the prefix or a word before it, because ids look the same. For `001`, the word must be one
 * for phones.
 */
const PHONE =
  /(?<![\p{L}\d+.])(?:\+(?!\d\.\d+(?![\d.]))[1-9][\d ()./-]{6,22}\d|00[1-9]\d{0,3}[ ()/-][\d ()/-]{5,18}\d|\(\d{3}\) ?\d{3}-\d{4}|(?<=\p{L}[^\p{L}\d]{1,4})(?:00[2-9]\d{8,12}|[2-9]\d\d([-.])[2-9]\d\d\1\d{4})|(?<=(?:tel|phone|fax|mobil|mobile|handy|cell)[^\p{L}\d]{1,4})001\d{10})(?![\p{L}\d])/giu;
const IBAN = /(?<![\p{L}\d])[A-Z]{2}\d\d(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\d])/gu;
const CARD = /(?<![\d-])\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?![\d-])/g;
const SOCIAL_SECURITY = /(?<![\p{L}\d-])\d{3}-\d\d-\d{4}(?![\p{L}\d-])/gu;

function isPhone(text: string): boolean {
  return /^(?:\+|00)/.test(text) ? isInternationalPhone(text) : true;
}

function matches(text: string, pattern: RegExp, isEnd: boolean, test: (text: string) => boolean): boolean {
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (index + found.length === text.length && !isEnd) return false;
    if (test(found)) return true;
  }
  return false;
}

const LONGEST_LOCAL_PART = 64;
const LOCAL_PART = /[^\s<>(),;:"'`=/\\|?&[\]{}@]+$/u;
const DOMAIN = /[\p{L}\d](?:[\p{L}\p{M}\d-]|\.(?=[\p{L}\d])){0,252}/uy;
/** The beginning of a URL before its user, as in `https://user:password@host`. URLs of messages address a person. */
const URL_USER = /(?<![a-z\d+.-])(?!(?:mailto|xmpp|sips?|im|acct):)[a-z][a-z\d+.-]*:\/\/(?:[^\s/@:]*:)?$/i;
/** A user of a host that is no person, before a path or port, as in `git@host:owner/name.git`. */
const SERVICE_USER =
  /^(?:git|hg|svn|root|admin|deploy(?:er|ment)?|ubuntu|debian|centos|fedora|core|vagrant|docker|jenkins|runner|ci|build|app|apps|web|www|www-data|postgres|mysql|backup|ansible|rsync|s?ftp|ssh|nobody|(?:[a-z\d]+-)?user)$/i;

function mentionsEmail(text: string, isEnd: boolean): boolean {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const before = text.slice(Math.max(0, at - LONGEST_LOCAL_PART - 1), at);
    const local = LOCAL_PART.exec(before)?.[0] ?? '';
    if (local === '' || local.length > LONGEST_LOCAL_PART) continue;
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(text)?.[0] ?? '';
    const end = at + 1 + domain.length;
    if (end === text.length && !isEnd) return false;
    if (!isMailDomain(domain)) continue;
    const start = at - local.length;
    if (URL_USER.test(text.slice(Math.max(0, start - 100), start))) continue;
    if (text.charAt(end) !== ':' || !SERVICE_USER.test(local)) return true;
  }
  return false;
}
