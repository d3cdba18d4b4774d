import { isToken, piecesOf, type Piece } from './format-pattern.js';

/** A piece of a date pattern, or a word of another pattern language. */
export type PatternPiece =
  | Piece
  | {
      readonly kind: 'foreign';
      readonly text: string;
      /** The spelling to use. Undefined if no token has the word's meaning. */
      readonly written: string | undefined;
    };

/** The directives of strftime. `i` and `s` are those of MySQL. */
const STRFTIME: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ Y: 'YYYY', y: 'YY', B: 'MMMM', b: 'MMM', h: 'MMM', m: 'MM', d: 'DD', e: 'D', A: 'dddd', a: 'ddd' },
    ...{ H: 'HH', k: 'H', I: 'HH', M: 'mm', i: 'mm', S: 'ss', s: 'ss', f: 'SSS', L: 'SSS' },
    ...{ F: 'YYYY-MM-DD', D: 'MM/DD/YY', T: 'HH:mm:ss', R: 'HH:mm' },
  }),
);
/** Words of `to_char` in SQL, and seconds in capitals. */
const WORDS: readonly (readonly [find: string, written: string])[] = [
  ['[Hh][Hh](?:24|12)', 'HH'],
  ['(?<!\\p{L})(?:MI|mi)(?=SS|ss|\\P{L}|$)', 'mm'],
  ['(?<=:|MI)SS?(?!\\p{L})', 'ss'],
  ['(?<!\\p{L})(?:Month|MONTH|month)(?!\\p{L})', 'MMMM'],
  ['(?<!\\p{L})(?:Mon|MON|mon)(?!\\p{L})', 'MMM'],
  ['(?<!\\p{L})(?:Day|DAY|day)(?!\\p{L})', 'dddd'],
  ['(?<!\\p{L})(?:Dy|DY|dy)(?!\\p{L})', 'ddd'],
];
/** A directive with its flag and letters, letters in quotes, and one group for each of the words. */
const ANY_WORD = new RegExp(
  `%([-#]?)((\\p{L})\\3*)|'(\\p{L}[^'\\[\\]]*)'|${WORDS.map(([find]) => `(${find})`).join('|')}`,
  'gu',
);

/** Splits a pattern as `piecesOf` does, but takes a word of another pattern language for one piece. */
export function patternPieces(pattern: string): readonly PatternPiece[] {
  const pieces: PatternPiece[] = [];
  let open = '';
  const close = (): void => {
    pieces.push(...splitWords(open));
    open = '';
  };
  for (const piece of piecesOf(pattern)) {
    if (piece.kind !== 'bracketed') open += piece.text;
    else {
      close();
      pieces.push(piece);
    }
  }
  close();
  return pieces.some(isDirective) ? pieces.map(copied) : pieces;
}

function* splitWords(text: string): Generator<PatternPiece> {
  let at = 0;
  for (const match of text.matchAll(ANY_WORD)) {
    const [word, flag, letters, , quoted, ...words] = match;
    if (quoted !== undefined && ![...piecesOf(quoted)].some(isStrayLetter)) continue;
    yield* piecesOf(text.slice(at, match.index));
    const written =
      letters !== undefined
        ? directive(letters, flag !== '')
        : quoted !== undefined
          ? `[${quoted}]`
          : WORDS[words.findIndex((found) => found !== undefined)]?.[1];
    yield { kind: 'foreign', text: word, written };
    at = match.index + word.length;
  }
  yield* piecesOf(text.slice(at));
}

function directive(letters: string, isShort: boolean): string | undefined {
  const tokens = isToken(letters) && letters.length > 1 ? letters : STRFTIME.get(letters);
  return isShort ? tokens?.replace(/^(MM|DD|HH)$/, (token) => token.charAt(0)) : tokens;
}

/** Returns whether a piece is a run of letters that is no token. */
export function isStrayLetter({ kind, text }: PatternPiece): boolean {
  return kind === 'letters' && !isToken(text);
}

function isDirective({ kind, text }: PatternPiece): boolean {
  return kind === 'foreign' && text.startsWith('%');
}

/** strftime copies the letters beside its directives. A longer token there is from a mixed pattern. */
function copied(piece: PatternPiece): PatternPiece {
  const isMixed = piece.text.length > 1 && isToken(piece.text);
  return piece.kind === 'letters' && !isMixed ? { kind: 'bracketed', text: piece.text } : piece;
}
