/** A character that a reader can see. Braille's blank U+2800 counts as a space. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\u2800]/u;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;
/** Pages show each of these characters, and any number of them, as one space. */
const BLANK = /[\p{Z}\t-\r\x85\u2800]/gu;

export function isVisible(text: unknown): text is string {
  return typeof text === 'string' && VISIBLE.test(text);
}

/** Returns whether a text is a name for readers: at most `max` characters, of which at least one is visible. */
export function isName(text: unknown, max: number): boolean {
  return isVisible(text) && [...text].length <= max;
}

export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/**
 * Returns a form that is equal for texts that readers confuse. The differences that it ignores are compatibility forms
 * of characters, invisible characters, the kind and number of spaces, and the case of ASCII letters. Only finds texts
 * to refuse: a check that gives access must not use it, because it converts other characters to ASCII, such as the
 * Kelvin sign to k.
 */
export function comparableText(text: string): string {
  // Some control characters are blank, so these are replaced first.
  const spaced = text.normalize('NFKC').replace(BLANK, ' ');
  // An invisible character can separate a letter from its accent.
  const visible = spaced.replace(INVISIBLE, '').normalize('NFKC');
  return asciiLowerCase(visible).replace(/ +/g, ' ').trim();
}

/** Converts only the letters A to Z, so that no other character becomes an ASCII letter. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
