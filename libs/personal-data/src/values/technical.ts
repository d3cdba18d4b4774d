const BOOLEAN = /^(?:true|false|t|f|yes|no|y|n|on|off|ja|nein|oui|non|si|sí|[01])$/i;
/** A UUID, also in the braces of Windows. */
const UUID = /^\{?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}?$/i;
/** Bytes in hexadecimal digits. */
const HEX = /^0x[\da-f]+$|^[\da-f]{16,}$/i;
/** The same, shortened in the middle for people. */
const SHORTENED = /^(?:0x)?[\da-f]+(?:…|\.{2,3})[\da-f]+$/i;
/** Digests with the name of their algorithm. */
const DIGEST = /^(?:md5|sha-?\d{1,3}|sha3-\d{3}|blake\w{1,4}|crc32|b64|hex)[:=-][\w+/=-]{6,}$/i;
/** One word of letters and digits that is too long for a word, as the address of a wallet. */
const OPAQUE = /^(?=.*\d)[a-z\d]{20,}$/i;

/** Tests for a truth value in some languages. */
export function isBoolean(text: string): boolean {
  return BOOLEAN.test(text);
}

/** Tests for a value that only programs read: a truth value, a UUID, bytes, a digest or the key of a wallet. */
export function isTechnical(text: string): boolean {
  return isBoolean(text) || UUID.test(text) || isBytes(text);
}

/** Tests for bytes in hexadecimal digits, a digest or the key of a wallet. */
export function isBytes(text: string): boolean {
  return HEX.test(text) || SHORTENED.test(text) || DIGEST.test(text) || OPAQUE.test(text);
}
