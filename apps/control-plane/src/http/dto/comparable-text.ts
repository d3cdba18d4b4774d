/** A character that a reader can see. Braille's blank U+2800 counts as a space. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\u2800]/u;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu;

export function isVisible(text: unknown): boolean {
  return typeof text === 'string' && VISIBLE.test(text);
}

/**
 * Returns a form that is equal for texts that readers confuse: compatibility forms of characters, invisible
 * characters, spaces at the ends and the case of ASCII letters make no difference. Only finds texts to refuse: a
 * check that gives access must not use it, because it converts other characters to ASCII, such as the Kelvin sign
 * to k.
 */
export function comparableText(text: string): string {
  // An invisible character can separate a letter from its accent.
  const visible = text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC');
  return asciiLowerCase(visible).trim();
}

/** Converts only the letters A to Z, so that no other character becomes an ASCII letter. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
