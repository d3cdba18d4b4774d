import { randomBytes } from 'node:crypto';

/** Crockford's base 32, as ULIDs are written. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
const PREFIX = 'ep_';
const FORM = new RegExp(`^${PREFIX}[${DIGITS}]{${LENGTH}}$`);

export const ENDPOINT_ID_LENGTH = PREFIX.length + LENGTH;

/** 130 random bits: where an endpoint asks for no token, its id is what lets one call it. */
export function newEndpointId(): string {
  const digits = Array.from(randomBytes(LENGTH), (byte) => DIGITS.charAt(byte % DIGITS.length));
  return `${PREFIX}${digits.join('')}`;
}

export function isEndpointId(text: string): boolean {
  return FORM.test(text);
}
