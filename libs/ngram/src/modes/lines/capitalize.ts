/** Converts the first letter of a text to upper case by the rules of the locale's language. */
export function capitalize(text: string, locale: string): string {
  const first = firstCharacter(text);
  // Unicode's rule is the same for all languages, except for the letter i in Turkish and Azerbaijani
  // (SpecialCasing.txt).
  const large = first === 'i' && /^(tr|az)(_|$)/.test(locale) ? '\u0130' : first.toUpperCase();
  return large + text.slice(first.length);
}

/** Returns the first code point, or an empty text. */
export function firstCharacter(text: string): string {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0) as number);
}

/**
 * Returns up to three variants of a text, without duplicates: as given, with a lower-case first letter, and
 * with an upper-case first letter. The training data may contain only one of these variants.
 */
export function caseVariants(text: string): readonly string[] {
  const first = firstCharacter(text);
  const rest = text.slice(first.length);
  const letters = [first, first.toLowerCase(), first.toUpperCase()];
  // A form with two letters, such as SS for ß, is not a variant.
  return [...new Set(letters)]
    .filter((letter) => firstCharacter(letter) === letter)
    .map((letter) => letter + rest);
}
