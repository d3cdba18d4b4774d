/** Control and format characters, which a terminal could interpret or use to reorder text, and separators of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a text in one line, with the characters that must not reach a terminal or a comment as JSON escapes, such as
 * `\u001b`. Names in a database may contain any character. JSON in one line stays the same JSON.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (found) =>
    Array.from({ length: found.length }, (_, i) => found.charCodeAt(i).toString(16).padStart(4, '0'))
      .map((code) => `\\u${code}`)
      .join(''),
  );
}

/**
 * Returns a text in one line, with a space instead of each such character. For texts that a person only reads, such as
 * values of rows and answers of a server.
 */
export function readable(text: string): string {
  return text.replace(UNPRINTABLE, ' ');
}
