import { randomBytes } from 'node:crypto';

/** Crockford's base 32, as ULIDs are written. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
const FORM = new RegExp(`^ep_[${DIGITS}]{${LENGTH}}$`);

/** 130 random bits: where an endpoint asks for no token, its id is what lets one call it. */
export function newEndpointId(): string {
  const digits = Array.from(randomBytes(LENGTH), (byte) => DIGITS.charAt(byte % DIGITS.length));
  return `ep_${digits.join('')}`;
}

export function isEndpointId(text: string): boolean {
  return FORM.test(text);
}
