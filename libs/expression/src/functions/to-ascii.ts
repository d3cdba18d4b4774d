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

/** The nearest text of ASCII characters: accents are dropped, a few letters spelled out, the rest left out. */
export function toAscii(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  let ascii = '';
  for (const symbol of text.normalize('NFD')) {
    ascii += symbol.charCodeAt(0) < 128 ? symbol : (LETTERS.get(symbol) ?? '');
  }
  return ascii;
}
