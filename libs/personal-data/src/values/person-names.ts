import type { WordLists } from './word-lists.js';

const TITLES =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|hr|fr|mme|mlle|m|sr|sra|srta|sig|dott|dhr|mevr|pan|pani|sir|dame)\.?$/i;
const PARTICLES =
  /^(?:van|von|de|den|der|del|della|di|da|dos|das|du|la|le|el|al|bin|ibn|zu|zum|ter|ten|op|y|e|i|\p{L}\.?)$/iu;

/** Characters that no name has. A text with `@` can be a name with an e-mail address. */
const NO_NAME = /[\d@/\\_:;#<>=]/;

export function isFirstName(text: string, lists: WordLists): boolean {
  if (NO_NAME.test(text)) return false;
  const words = text.trim().split(/[\s-]+/);
  return (
    (words.length <= 3 && lists.has('first_names', words[0] ?? '')) || lists.has('first_names', text.trim())
  );
}

export function isLastName(text: string, lists: WordLists): boolean {
  const bare = text.trim();
  if (lists.has('last_names', bare)) return true;
  const words = bare.split(/[\s-]+/).filter((word) => !PARTICLES.test(word));
  return words.length > 0 && words.length <= 2 && words.every((word) => lists.has('last_names', word));
}

/**
 * Tests for the full name of a person: two to five words, not counting titles, or a Japanese or Chinese name
 * without a space. The first and last words must be a known first name and a known last name, in either
 * order. One of them may be an initial. After a known first name and a middle name, any last name is
 * accepted.
 */
export function isFullName(text: string, lists: WordLists): boolean {
  if (NO_NAME.test(text) || text.length > 80) return false;
  const words = text
    .trim()
    .split(/[\s,]+/)
    .filter((word) => !TITLES.test(word) && word !== '');
  if (words.length < 2) return isGluedName(words[0] ?? '', lists);
  if (words.length > 5) return false;
  const names = words.filter((word) => !PARTICLES.test(word));
  const [first = '', last = ''] = [names[0], names.at(-1)];
  if (names.length < 2) return lists.has('first_names', first) || lists.has('last_names', first);
  const straight = isFirstName(first, lists) && (isLastName(last, lists) || names.length > 2);
  return straight || (lists.has('last_names', first) && isFirstName(last, lists));
}

/**
 * Tests for a possible name in any language: up to six words of letters, the first with a capital if its
 * script has capitals.
 */
export function looksLikeName(text: string): boolean {
  return (
    /^[\p{Lu}\p{Lo}][\p{L}\p{M}'’. ,-]{0,79}$/u.test(text.trim()) && text.trim().split(/\s+/).length <= 6
  );
}

/** Tests for a Japanese or Chinese name, which has no space and begins with the family name. */
function isGluedName(word: string, lists: WordLists): boolean {
  if (!/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2,7}$/u.test(word)) return false;
  const letters = [...word];
  return letters.some(
    (_, i) =>
      i > 0 &&
      lists.has('last_names', letters.slice(0, i).join('')) &&
      lists.has('first_names', letters.slice(i).join('')),
  );
}
