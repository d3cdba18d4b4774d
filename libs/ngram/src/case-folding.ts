/** `title` writes the first letter of every part (parts end at space, hyphen, apostrophe) large, the rest small. */
export type CaseFolding = 'preserve' | 'lower' | 'title';

export const CASE_FOLDINGS: readonly CaseFolding[] = ['preserve', 'lower', 'title'];

const PART = /[^\s\-'’]+/gu;

/**
 * The form of a value that a model is trained on and that its originals are compared in: case folded, then NFC,
 * lone surrogates as U+FFFD. Two values with the same form are one distinct value.
 */
export function normalizeValue(value: string, caseFolding: CaseFolding): string {
  const folded = foldCase(value, caseFolding);
  return needsNormalization(folded) ? folded.normalize('NFC').replace(/\p{Surrogate}/gu, '\ufffd') : folded;
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

/** Everything below U+0300 is its own NFC form (UAX #15, "Detecting Normalization Forms"). */
function needsNormalization(value: string): boolean {
  for (let i = 0; i < value.length; i += 1) if (value.charCodeAt(i) >= 0x300) return true;
  return false;
}
