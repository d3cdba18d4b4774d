import { ExpressionError } from '../errors.js';
import { LIMITS, sourceTooLong } from '../limits.js';
import { parseExactNumber } from '../values/exact-number.js';
import { matchPlainName } from './plain-name.js';

/** `mistake` is a message about a literal whose value is not the one that its source shows. */
export type Token =
  | {
      readonly kind: 'number';
      readonly value: number | bigint;
      readonly mistake?: string | undefined;
      readonly at: number;
    }
  | {
      readonly kind: 'string';
      readonly value: string;
      readonly mistake?: string | undefined;
      readonly at: number;
    }
  | {
      readonly kind: 'name';
      readonly value: string;
      /** True if the name was in back-quotes, so that it is never a function or a constant. */
      readonly quoted: boolean;
      readonly at: number;
    }
  | { readonly kind: 'symbol'; readonly value: string; readonly at: number }
  | { readonly kind: 'end'; readonly value: ''; readonly at: number };

export interface Tokens {
  readonly tokens: readonly Token[];
  /** The index after the closing braces, or the length of the source. */
  readonly end: number;
}

const TOO_MANY_DIGITS = 'the number has more digits than a double can hold; write fewer digits, or a text';
const SPACE = /[\s]/;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const DIGITS = /^\d+$/;
const SYMBOL = /===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:(),.[\]]/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/**
 * Splits an expression into tokens. The last token has the kind `end`.
 * @param insideBraces if true, the expression ends at `}}`, otherwise at the end of the source
 * @throws ExpressionError if there is an unexpected character or an unclosed string, back-quote or brace, or
 * if a source in braces is too long
 */
export function tokenize(source: string, start: number, insideBraces: boolean): Tokens {
  const tokens: Token[] = [];
  let at = start;
  for (;;) {
    while (at < source.length && SPACE.test(source.charAt(at))) at += 1;
    if (at >= source.length) {
      if (insideBraces) throw new ExpressionError('the braces opened here are not closed by "}}"', start - 2);
      tokens.push({ kind: 'end', value: '', at });
      return { tokens, end: at };
    }
    if (insideBraces && source.startsWith('}}', at)) {
      tokens.push({ kind: 'end', value: '', at });
      return { tokens, end: at + 2 };
    }
    if (insideBraces && at - start > LIMITS.sourceBytes) throw sourceTooLong(start - 2);
    at = readToken(source, at, tokens);
  }
}

function readToken(source: string, at: number, tokens: Token[]): number {
  const first = source.charAt(at);
  if (first === '"' || first === "'") return readString(source, at, first, tokens);
  if (first === '`') return readQuotedName(source, at, tokens);

  const number = match(NUMBER, source, at);
  if (number !== undefined) {
    const kept = parseExactNumber(number);
    // Expressions compute with literals, and stored ones compute with the nearest double of any other number.
    const exact =
      typeof kept === 'number' || (typeof kept === 'bigint' && DIGITS.test(number)) ? kept : undefined;
    const value = exact ?? Number(number);
    const end = at + number.length;
    if (value === Infinity) throw new ExpressionError('the number is too large', at);
    if (matchPlainName(source, end) !== undefined)
      throw new ExpressionError('a name must not begin with a digit', at);
    tokens.push({ kind: 'number', value, mistake: exact === undefined ? TOO_MANY_DIGITS : undefined, at });
    return end;
  }
  const name = matchPlainName(source, at);
  if (name !== undefined) {
    tokens.push({ kind: 'name', value: name, quoted: false, at });
    return at + name.length;
  }
  const symbol = match(SYMBOL, source, at);
  if (symbol === undefined) throw new ExpressionError('an expression must not contain this character', at);
  tokens.push({ kind: 'symbol', value: symbol, at });
  return at + symbol.length;
}

function readString(source: string, start: number, quote: string, tokens: Token[]): number {
  let value = '';
  let mistake: string | undefined;
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === quote) {
      tokens.push({ kind: 'string', value, mistake, at: start });
      return at + 1;
    }
    if (char === '\\') {
      at += 1;
      const escaped = source.charAt(at);
      const meant = ESCAPES.get(escaped);
      if (meant === undefined && /[A-Za-z0-9]/.test(escaped)) mistake ??= unknownEscape(escaped);
      value += meant ?? escaped;
    } else {
      value += char;
    }
  }
  throw new ExpressionError('the string opened here is not closed', start);
}

/** Expects a letter or digit, which other languages give a meaning after a backslash. */
function unknownEscape(escaped: string): string {
  return (
    `a string has no escape \\${escaped}; write \\\\ for a backslash, and \\n, \\t or \\r for a line break, ` +
    'a tab or a carriage return'
  );
}

function readQuotedName(source: string, start: number, tokens: Token[]): number {
  let value = '';
  for (let at = start + 1; at < source.length; at += 1) {
    let char = source.charAt(at);
    if (char === '`') {
      tokens.push({ kind: 'name', value, quoted: true, at: start });
      return at + 1;
    }
    if (char === '\\') {
      at += 1;
      char = source.charAt(at);
      if (char !== '`' && char !== '\\') {
        throw new ExpressionError(
          'after a backslash, a name in back-quotes may contain only \\` or \\\\',
          at - 1,
        );
      }
    }
    value += char;
  }
  throw new ExpressionError('the name opened here is not closed by a back-quote', start);
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
