/** Letters that Unicode does not decompose into a base letter and marks. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ẞ', 'SS'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['Ð', 'D'],
  ['þ', 'th'],
  ['Þ', 'Th'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['ı', 'i'],
  ['ħ', 'h'],
  ['Ħ', 'H'],
  ['ŋ', 'n'],
  ['Ŋ', 'N'],
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['–', '-'],
  ['—', '-'],
  ['…', '...'],
]);

/** Converts a text to ASCII: drops accents, spells out a few letters and removes all other characters. */
export function toAscii(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const decomposed = text.normalize('NFD');
  let ascii = '';
  let start = 0; // start of the ASCII characters that are not copied yet
  for (let at = 0; at < decomposed.length; at += 1) {
    const unit = decomposed.charCodeAt(at);
    if (unit < 0x80) continue;
    ascii += decomposed.slice(start, at);
    start = at + 1;
    if (!isCombiningMark(unit)) ascii += LETTERS.get(decomposed.charAt(at)) ?? '';
  }
  return ascii + decomposed.slice(start);
}

/** Returns whether a unit is in the block U+0300 to U+036F, which contains the accents. */
function isCombiningMark(unit: number): boolean {
  return unit >= 0x300 && unit <= 0x36f;
}

/**
 * Returns the text as lower-case ASCII letters and digits, with one dash between words. Returns an empty text
 * if no letters or digits remain.
 */
export function slug(value: string): string {
  return toAscii(value)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
