import anyAscii from 'any-ascii';

/** Words, and single characters outside of ASCII. */
const PARTS = /[\p{L}\p{M}\p{N}]+|\P{ASCII}/gu;
const PUNCTUATION = '‘’“”–—…';

/**
 * Converts a text to ASCII, without a language: drops accents, transliterates letters and digits of other scripts
 * (ADR 100), converts quotation marks, dashes and the ellipsis, and removes other characters. A word keeps at
 * least one letter or digit: a word whose letters have no transliteration becomes their code points, such as
 * `u12000`.
 */
export function toAscii(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(PARTS, (part) =>
      /[\p{L}\p{M}\p{N}]/u.test(part) ? asciiWord(part) : PUNCTUATION.includes(part) ? anyAscii(part) : '',
    );
}

function asciiWord(word: string): string {
  // The library writes a few consonants as a grave accent. An apostrophe is the same sound in other tables.
  const ascii = anyAscii(word).replaceAll('`', "'");
  if (/[A-Za-z0-9]/.test(ascii) || !/[\p{L}\p{N}]/u.test(word)) return ascii;
  return Array.from(word, (symbol) => `u${(symbol.codePointAt(0) ?? 0).toString(16)}`).join('');
}

/**
 * Returns the text as lower-case ASCII letters and digits, with one dash between words. Returns an empty text
 * only if the text has no letters or digits.
 */
export function slug(value: string): string {
  return toAscii(value)
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
