import { isStrayLetter, type PatternPiece, patternPieces } from './foreign-words.js';

/**
 * Letters of other pattern languages, with the tokens to write for one, two, three and more of them, and the part of a
 * date that they are.
 */
const SPELLINGS: readonly (readonly [letters: string, tokens: readonly string[], meaning: string])[] = [
  ['yYu', ['YYYY', 'YY', 'YYYY'], 'YYYY for the year'],
  ['dD', ['D', 'DD'], 'DD for the day of the month'],
  ['m', ['mm', 'mm', 'MMM', 'MMMM'], 'MM for the month or mm for the minutes'],
  ['hkH', ['H', 'HH'], 'HH for the hours from 00 to 23'],
  ['s', ['ss'], 'ss for the seconds'],
  ['S', ['SSS'], 'SSS for the milliseconds'],
  ['E', ['ddd', 'ddd', 'ddd', 'dddd'], 'ddd or dddd for the day of the week'],
  ['LM', ['M', 'MM', 'MMM', 'MMMM'], 'MM, MMM or MMMM for the month'],
];
const LONGEST_SHOWN = 32;
const LONGEST_RESPELLED = 64;

/**
 * Finds letters of a pattern that are neither tokens nor in brackets, and months and minutes that are exchanged. Equal
 * letters in a row are one token or none: other patterns give a meaning to runs such as DDD and SSSSSS.
 * @returns a message with the spelling to use, or undefined if there are none
 */
export function mistakeInPattern(pattern: string): string | undefined {
  const pieces = patternPieces(pattern);
  if (!pieces.some(isTokenPiece) && !pieces.some(isStray)) return NO_TOKEN;
  const first = pieces.findIndex(isStray);
  const found = pieces[first];
  if (found === undefined) return exchanged(pieces);
  const letters = textOf(runOf(pieces, first, isStrayLetter)).slice(0, LONGEST_SHOWN);
  const { text, advice } =
    found.kind === 'foreign'
      ? { text: found.text, advice: found.written }
      : { text: letters, advice: spellingOf(letters)?.[2] };
  return (
    `"${text}" is no token of a date pattern; write ${advice === undefined ? '' : `${advice}, or `}` +
    `[${text}] for the letters${asIn(respelled(pieces))}`
  );
}

const NO_TOKEN = 'a date pattern needs at least one token, such as YYYY, MM, DD, HH, mm or ss';

/** Describes a month that is meant as minutes, or minutes that are meant as a month. */
function exchanged(pieces: readonly PatternPiece[]): string | undefined {
  const at = exchangedAt(pieces);
  if (at === undefined) return undefined;
  const token = pieces[at]?.text;
  const advice = token === 'mm' ? 'minutes; write MM for the month' : 'month; write mm for the minutes';
  return `"${token}" is the ${advice}${asIn(sourceOf(pieces))}`;
}

/** Finds a month that follows hours or precedes seconds, and minutes in a date that has no month and no other time. */
function exchangedAt(pieces: readonly PatternPiece[]): number | undefined {
  const tokens = pieces.map(({ kind, text }) => (kind === 'letters' ? text : ''));
  const isTime = (at: number, colon: number, wanted: string): boolean =>
    pieces[colon]?.text === ':' && (tokens[at] ?? '').startsWith(wanted);
  const month = tokens.findIndex(
    (token, i) => /^MM?$/.test(token) && (isTime(i - 2, i - 1, 'H') || isTime(i + 2, i + 1, 's')),
  );
  if (month >= 0) return month;
  const has = (start: RegExp): boolean => tokens.some((token) => start.test(token));
  return has(/^mm$/) && has(/^[YD]/) && !has(/^[HsSM]/) ? tokens.indexOf('mm') : undefined;
}

/** Writes the whole pattern with tokens for the letters of other languages, and other letters in brackets. */
function respelled(pieces: readonly PatternPiece[]): string {
  let written = '';
  let at = 0;
  while (at < pieces.length) {
    const word = runOf(pieces, at, ({ kind }) => kind === 'letters');
    const next =
      word.length === 0
        ? pieces
            .slice(at, at + 1)
            .map(writtenFor)
            .join('')
        : respelledWord(word);
    // Two tokens of the same letter would be one.
    written += `${/\p{L}/u.test(next.charAt(0)) && written.endsWith(next.charAt(0)) ? '[]' : ''}${next}`;
    at += Math.max(1, word.length);
  }
  return written;
}

/** Writes a piece that is no letters, or a word of another language with our tokens. */
function writtenFor(piece: PatternPiece): string {
  return piece.kind === 'foreign' ? (piece.written ?? piece.text) : sourceOf([piece]);
}

/** A word with this many stray letters in a row is a word of a language. */
const LETTERS_OF_WORD = 3;

function respelledWord(word: readonly PatternPiece[]): string {
  let written = '';
  for (let at = 0; at < word.length;) {
    const strays = runOf(word, at, isStrayLetter);
    if (strays.length >= LETTERS_OF_WORD) return `[${textOf(word)}]`;
    const tokens = strays.map(({ text }) => {
      const sizes = spellingOf(text)?.[1];
      return sizes?.[Math.min(text.length, sizes.length) - 1];
    });
    const areTokens = tokens.every((token) => token !== undefined);
    written += strays.length === 0 ? word[at]?.text : areTokens ? tokens.join('') : `[${textOf(strays)}]`;
    at += Math.max(1, strays.length);
  }
  return written;
}

/** Returns the pieces from `at` on that satisfy a condition. */
function runOf(
  pieces: readonly PatternPiece[],
  at: number,
  belongs: (piece: PatternPiece) => boolean,
): readonly PatternPiece[] {
  let end = at;
  for (let piece = pieces[end]; piece !== undefined && belongs(piece); piece = pieces[end]) end += 1;
  return pieces.slice(at, end);
}

function isStray(piece: PatternPiece): boolean {
  return piece.kind === 'foreign' || isStrayLetter(piece);
}

function isTokenPiece(piece: PatternPiece): boolean {
  return piece.kind === 'letters' && !isStrayLetter(piece);
}

function spellingOf(letters: string): (typeof SPELLINGS)[number] | undefined {
  return SPELLINGS.find(([known]) => known.includes(letters.charAt(0)));
}

function sourceOf(pieces: readonly PatternPiece[]): string {
  return pieces.map(({ kind, text }) => (kind === 'bracketed' ? `[${text}]` : text)).join('');
}

function textOf(pieces: readonly PatternPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Returns the end of a message that shows a pattern without exchanged tokens. Empty if the pattern is long or wrong. */
function asIn(pattern: string): string {
  if (pattern.length > LONGEST_RESPELLED) return '';
  const pieces = patternPieces(pattern);
  const at = exchangedAt(pieces);
  const piece = at === undefined ? undefined : pieces[at];
  if (piece !== undefined) {
    const token = piece.text === 'mm' ? 'MM' : 'mm';
    return asIn(sourceOf(pieces.map((each) => (each === piece ? { ...each, text: token } : each))));
  }
  return pieces.some(isStray) || !pieces.some(isTokenPiece) ? '' : `, as in ${pattern}`;
}
