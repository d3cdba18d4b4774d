import { ExpressionError } from './errors.js';

export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'string'; readonly value: string; readonly at: number }
  | { readonly kind: 'name'; readonly value: string; readonly at: number }
  | { readonly kind: 'symbol'; readonly value: string; readonly at: number }
  | { readonly kind: 'end'; readonly value: ''; readonly at: number };

export interface Tokens {
  readonly tokens: readonly Token[];
  /** Index after the closing braces, or the length of the source. */
  readonly end: number;
}

const SPACE = /[\s]/;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy;
const SYMBOL = /===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:(),.[\]]/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/**
 * Splits an expression into tokens, the last of kind `end`.
 * @param insideBraces the expression ends at `}}`; otherwise at the end of the source
 * @throws ExpressionError on a character that no token begins with, and on an open string or brace
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
    at = readToken(source, at, tokens);
  }
}

function readToken(source: string, at: number, tokens: Token[]): number {
  const first = source.charAt(at);
  if (first === '"' || first === "'") return readString(source, at, first, tokens);

  const number = match(NUMBER, source, at);
  if (number !== undefined) {
    const value = Number(number);
    const end = at + number.length;
    if (!Number.isFinite(value)) throw new ExpressionError('the number is too large', at);
    if (match(NAME, source, end) !== undefined)
      throw new ExpressionError('a name cannot begin with a digit', at);
    tokens.push({ kind: 'number', value, at });
    return end;
  }
  const name = match(NAME, source, at);
  if (name !== undefined) {
    tokens.push({ kind: 'name', value: name, at });
    return at + name.length;
  }
  const symbol = match(SYMBOL, source, at);
  if (symbol === undefined) throw new ExpressionError('an expression cannot hold this character', at);
  tokens.push({ kind: 'symbol', value: symbol, at });
  return at + symbol.length;
}

function readString(source: string, start: number, quote: string, tokens: Token[]): number {
  let value = '';
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === quote) {
      tokens.push({ kind: 'string', value, at: start });
      return at + 1;
    }
    if (char === '\\') {
      at += 1;
      const escaped = source.charAt(at);
      value += ESCAPES.get(escaped) ?? escaped;
    } else {
      value += char;
    }
  }
  throw new ExpressionError('the string opened here is not closed', start);
}

function match(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}
