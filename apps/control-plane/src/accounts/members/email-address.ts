import { domainToASCII, domainToUnicode } from 'node:url';

import { asciiLowerCase, comparableText, isVisible } from '../../platform/http/dto/comparable-text.js';

/**
 * Returns the form in which the addresses of an organisation must differ. It ignores the case of ASCII letters,
 * compatibility forms, invisible characters, Punycode and quotes that the address does not need.
 */
export function emailKey(email: string): string {
  const [name, domain] = partsOf(email);
  return comparableText(`${name}@${domainToUnicode(domain) || domain}`);
}

/** Returns the keys that a stored member with this address can have: earlier versions stored a simpler one. */
export function emailKeys(email: string): readonly string[] {
  return [emailKey(email), email.normalize('NFC').toLowerCase(), mailboxOf(email)];
}

/**
 * Returns whether two addresses are the same mailbox. Only ASCII letters may differ in case, so that the Kelvin sign
 * is no k. Domains are compared as DNS does.
 */
export function isSameMailbox(one: string, other: string): boolean {
  return mailboxOf(one) === mailboxOf(other);
}

/** Returns whether the part before the domain has a character that a reader can see, apart from quotes. */
export function hasVisibleName(email: unknown): boolean {
  return typeof email === 'string' && isVisible(partsOf(email)[0].replaceAll('"', ''));
}

function mailboxOf(email: string): string {
  const [name, domain] = partsOf(email);
  return `${asciiLowerCase(name)}@${domainToASCII(domain) || domain}`;
}

/** A name that needs no quotes (RFC 5321, section 4.1.2: Dot-string), also in UTF-8 (RFC 6531). */
const DOT_STRING = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u;

/** Splits an address. The name has no quotes or backslashes that it does not need. */
function partsOf(email: string): [name: string, domain: string] {
  const at = email.lastIndexOf('@');
  const name = email.slice(0, at);
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1]?.replace(/\\(.)/g, '$1');
  const isPlain = quoted === undefined || DOT_STRING.test(quoted);
  return [isPlain ? (quoted ?? name) : JSON.stringify(quoted), email.slice(at + 1)];
}
