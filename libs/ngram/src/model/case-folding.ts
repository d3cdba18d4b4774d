/**
 * `title` writes the first letter of every part in upper case and the rest in lower case. Parts end at a
 * space, hyphen or apostrophe.
 */
export type CaseFolding = 'preserve' | 'lower' | 'title';

export const CASE_FOLDINGS: readonly CaseFolding[] = ['preserve', 'lower', 'title'];

const PART = /[^\s\-'’]+/gu;

/**
 * Converts a value to the form in which models learn it and compare originals: case folded, then NFC, with
 * lone surrogates as U+FFFD. Values that have the same form count as one distinct value.
 */
export function normalizeValue(value: string, caseFolding: CaseFolding): string {
  const folded = foldCase(value, caseFolding);
  if (isNormalized(folded, 0, folded.length)) return folded;
  return folded.normalize('NFC').replace(/\p{Surrogate}/gu, '\ufffd');
}

/**
 * Returns whether every unit of `value[from, to)` is in a range of starters that NFC does not change (UAX
 * #15, "Detecting Normalization Forms"). The text is then in NFC and has no lone surrogates. Also returns
 * false for some texts in NFC. New Unicode versions only extend these ranges.
 */
export function isNormalized(value: string, from: number, to: number): boolean {
  for (let i = from; i < to; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit >= 0x300 && !isStable(unit)) return false;
  }
  return true;
}

function isStable(unit: number): boolean {
  return (
    (unit >= 0x400 && unit <= 0x482) || // Cyrillic
    (unit >= 0x2010 && unit <= 0x2027) || // dashes and quotation marks
    (unit >= 0x3041 && unit <= 0x3096) || // Hiragana
    (unit >= 0x30a1 && unit <= 0x30fa) || // Katakana
    (unit >= 0x4e00 && unit <= 0x9fff) || // CJK ideographs
    (unit >= 0xac00 && unit <= 0xd7a3) // Hangul syllables
  );
}

function foldCase(value: string, caseFolding: CaseFolding): string {
  if (caseFolding === 'preserve') return value;
  const lower = value.toLowerCase();
  if (caseFolding === 'lower') return lower;
  return lower.replace(PART, (part) => {
    const first = String.fromCodePoint(part.codePointAt(0) ?? 0);
    return first.toUpperCase() + part.slice(first.length);
  });
}
