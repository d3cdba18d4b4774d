/** Makes a text of the server safe to show in an error. */
export type ServerText = (text: string) => string;

const LENGTH_AT_MOST = 2000;
/** A shorter token could be a part of any text. */
const TOKEN_AT_LEAST = 8;

/**
 * Returns a function that hides the token, in case that a server or a proxy repeats it. The function also replaces
 * control characters, which could change a terminal, and shortens the text to 2,000 characters.
 */
export function serverText(token: string | null): ServerText {
  return (text) => {
    const hidden = token === null || token.length < TOKEN_AT_LEAST ? text : text.replaceAll(token, '[token]');
    return hidden.slice(0, LENGTH_AT_MOST).replace(/\p{Cc}+/gu, ' ');
  };
}
