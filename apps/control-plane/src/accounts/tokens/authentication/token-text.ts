import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'us_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

/**
 * Formats a token. The secret's 30 random characters from an alphabet of 62 contain 178 bits. The checksum
 * covers prefix and secret, so that a mistyped token is refused without a database query.
 */
export function formatToken(secret: string): string {
  return PREFIX + secret + checksum(PREFIX + secret);
}

/** Checks form and checksum cheaply. It does not check whether the token exists. */
export function isWellFormedToken(text: string): boolean {
  if (
    text.length !== PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH ||
    !/^us_live_[0-9A-Za-z]+$/.test(text)
  ) {
    return false;
  }
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/**
 * Maps random bytes to a secret. To avoid bias, it skips bytes of 248 (4 × 62) and above.
 * @param nextByte returns uniform bytes from 0 to 255, from a CSPRNG
 */
export function generateSecret(nextByte: () => number): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    const byte = nextByte();
    if (byte < 248) secret += ALPHABET.charAt(byte % 62);
  }
  return secret;
}

/** Returns the part of a token that may be shown later. */
export function hintOf(token: string): string {
  return `${token.slice(0, PREFIX.length + 4)}…`;
}

function checksum(text: string): string {
  let rest = crc32(Buffer.from(text, 'ascii'));
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Creates a token from the system's CSPRNG. */
export function newToken(): string {
  return formatToken(generateSecret(() => randomBytes(1).readUInt8(0)));
}
