import type { ScanToken } from 'libpg-query';

import { ConditionError } from './row-condition.js';

/** The largest permitted sum of the depth of parentheses and the number of consecutive NOTs. */
export const MAX_DEPTH = 64;

const OPERATORS = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);
const PUNCTUATION = new Set(['(', ')', ',', '::', '-']);
/** The permitted reserved words. None of them begins a clause, a subquery or a session function. */
const WORDS = new Set(
  'and or not in like ilike between is isnull notnull null true false cast as'.split(' '),
);
const LITERAL = /^(?:'|[\d.])/;

/**
 * Checks the tokens of a condition before the parser reads them. So the parser receives no disallowed syntax
 * and no nesting that is too deep for its stack.
 * @throws ConditionError at the first token that is not allowed
 */
export function checkTokens(tokens: readonly ScanToken[]): void {
  let depth = 0;
  let nots = 0;
  tokens.forEach((token, index) => {
    const word = token.text.toLowerCase();
    checkToken(token, word, tokens[index - 1], tokens[index + 1]);
    depth += word === '(' ? 1 : word === ')' ? -1 : 0;
    nots = word === 'not' ? nots + 1 : 0;
    if (depth + nots > MAX_DEPTH)
      throw new ConditionError({ byte: token.start }, `nests deeper than ${MAX_DEPTH} levels`);
  });
}

function checkToken(
  token: ScanToken,
  word: string,
  before: ScanToken | undefined,
  after: ScanToken | undefined,
): void {
  const fail = (message: string): never => {
    throw new ConditionError({ byte: token.start }, message);
  };
  if (token.tokenName.endsWith('_COMMENT')) fail('comments are not allowed');
  if (word.startsWith("'")) return;
  if (word.endsWith("'") || word.startsWith('$') || word.startsWith('u&'))
    fail("write texts as '…' without a prefix or dollar signs, and names without quotes or in double quotes");
  if (/^[a-z_"\u0080-\uffff]/.test(word)) return checkWord(token, word, fail);
  if (LITERAL.test(word) || OPERATORS.has(word)) return;
  if (!PUNCTUATION.has(word)) fail('this operator or sign is not allowed');
  if (word === '::' && !isLiteral(before)) fail('only a literal can be cast');
  if (word === '-' && !isSign(before, after)) fail('arithmetic is not allowed');
}

/** Rejects reserved words, except the permitted ones. Other keywords can be names (PostgreSQL docs, appendix C). */
function checkWord(token: ScanToken, word: string, fail: (message: string) => never): void {
  const isReserved =
    token.keywordName === 'RESERVED_KEYWORD' || token.keywordName === 'TYPE_FUNC_NAME_KEYWORD';
  if (isReserved && !WORDS.has(word)) {
    fail(
      'this word is not allowed; use comparisons, IN, BETWEEN, LIKE, ILIKE, IS NULL, AND, OR, NOT and literals. Put a column of this name in double quotes',
    );
  }
}

function isLiteral(token: ScanToken | undefined): boolean {
  return token !== undefined && (LITERAL.test(token.text) || /^(?:true|false|\))$/i.test(token.text));
}

function isSign(before: ScanToken | undefined, after: ScanToken | undefined): boolean {
  const follows = before === undefined || !(isLiteral(before) || isName(before));
  return follows && after !== undefined && /^[\d.]/.test(after.text);
}

function isName({ text, keywordName }: ScanToken): boolean {
  return (
    /^[A-Za-z_"\u0080-\uffff]/.test(text) && !(keywordName !== 'NO_KEYWORD' && WORDS.has(text.toLowerCase()))
  );
}
