/** The text with a large first letter, as the locale's language writes it. */
export function capitalize(text: string, locale: string): string {
  const first = firstCharacter(text);
  // Unicode's rule without a language; Turkish and Azerbaijani alone have another, for one letter (SpecialCasing.txt).
  const large = first === 'i' && /^(tr|az)(_|$)/.test(locale) ? '\u0130' : first.toUpperCase();
  return large + text.slice(first.length);
}

/** The first code point; empty of an empty text. */
export function firstCharacter(text: string): string {
  return text === '' ? '' : String.fromCodePoint(text.codePointAt(0) as number);
}

/** The text itself, then with its first letter small, then large, without repeats: what case may have made of it. */
export function caseVariants(text: string): readonly string[] {
  const first = firstCharacter(text);
  const rest = text.slice(first.length);
  const letters = [first, first.toLowerCase(), first.toUpperCase()];
  // A letter that becomes two is another text, not another case of this one.
  return [...new Set(letters)]
    .filter((letter) => firstCharacter(letter) === letter)
    .map((letter) => letter + rest);
}
