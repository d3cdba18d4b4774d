import { domainToASCII, domainToUnicode } from 'node:url';

import { asciiLowerCase, comparableText, isVisible } from '../http/dto/comparable-text.js';

/**
 * Returns the form in which the addresses of an organisation must differ: without regard to the case of ASCII
 * letters, compatibility forms, invisible characters and Punycode.
 */
export function emailKey(email: string): string {
  const [name, domain] = partsOf(email);
  return comparableText(`${name}@${domainToUnicode(domain) || domain}`);
}

/** Returns the keys that a stored member with this address can have: earlier versions stored a simpler one. */
export function emailKeys(email: string): readonly string[] {
  return [emailKey(email), email.normalize('NFC').toLowerCase()];
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

function partsOf(email: string): [name: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [email.slice(0, at), email.slice(at + 1)];
}
