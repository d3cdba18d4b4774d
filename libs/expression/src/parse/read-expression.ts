import { ExpressionError } from '../errors.js';
import { unquotedNameHint } from './name-hints.js';
import { parse } from './parse.js';
import type { Node } from './syntax-tree.js';
import { tokenize } from './tokenize.js';

export interface ReadExpression {
  readonly node: Node;
  /** The index after the closing braces, or the length of the source. */
  readonly end: number;
}

/**
 * Parses the expression that starts at `start`.
 * @param insideBraces if true, the expression ends at `}}`, otherwise at the end of the source
 * @param known the names in scope, for hints
 * @throws ExpressionError
 */
export function readExpression(
  source: string,
  start: number,
  insideBraces: boolean,
  known: Iterable<string>,
): ReadExpression {
  try {
    const { tokens, end } = tokenize(source, start, insideBraces);
    return { node: parse(tokens), end };
  } catch (error) {
    if (!(error instanceof ExpressionError) || error.overLimit) throw error;
    const hint = unquotedNameHint(source, error.position, known);
    throw hint === '' ? error : new ExpressionError(error.reason + hint, error.position);
  }
}
