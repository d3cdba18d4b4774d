/** Characters that control a terminal or change the direction of text. */
const CONTROLS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Replaces control characters by spaces, escapes the text, and cuts it so that the result has at most `limit` UTF-16
 * code units. It never cuts an escape sequence or a character.
 */
export function fittedText(
  text: string,
  limit: number,
  escape: (character: string) => string = (character) => character,
): string {
  let all = '';
  let cut = '';
  for (const character of text.replace(CONTROLS, ' ')) {
    all += escape(character);
    if (all.length > limit) return `${cut}…`;
    if (all.length < limit) cut = all;
  }
  return all;
}
