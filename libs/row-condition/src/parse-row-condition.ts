import type { Node, ParseResult } from 'libpg-query';

import { checkTokens } from './check-tokens.js';
import { ConditionError, type ConditionProblem, type RowCondition } from './row-condition.js';
import { readTree } from './read-tree.js';

export const MAX_CONDITION_BYTES = 4_096;

export type ParsedRowCondition =
  | { readonly condition: RowCondition }
  | { readonly problem: ConditionProblem };

type Parser = typeof import('libpg-query');

const PREFIX = 'SELECT WHERE ';

/**
 * Parses a `where`: comparisons (`=`, `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS NULL) of
 * columns with literals or columns, combined with AND, OR and NOT. Uses PostgreSQL's own parser, and returns
 * a problem if the parse tree contains any other node. No text makes the promise reject. Cost: a few
 * milliseconds for the longest permitted text. The first call also loads the parser.
 */
export async function parseRowCondition(text: string): Promise<ParsedRowCondition> {
  const unreadable = sizeProblem(text);
  if (unreadable !== undefined) return { problem: unreadable };
  const parser = await import('libpg-query');
  await parser.loadModule();
  try {
    checkTokens(scan(parser, text));
    return { condition: readTree(whereOf(parser.parseSync(PREFIX + text))) };
  } catch (error) {
    if (error instanceof parser.SqlError) {
      const at = error.sqlDetails?.cursorPosition;
      const message = 'is not a valid SQL condition';
      return {
        problem:
          at === undefined || at < PREFIX.length
            ? { message }
            : { position: at - PREFIX.length + 1, message },
      };
    }
    if (!(error instanceof ConditionError)) throw error;
    return { problem: locate(error, text) };
  }
}

function sizeProblem(text: string): ConditionProblem | undefined {
  if (text.trim() === '') return { message: 'is empty' };
  if (Buffer.byteLength(text) > MAX_CONDITION_BYTES) {
    return { message: `expected at most ${MAX_CONDITION_BYTES} bytes` };
  }
  const at = text.search(UNPRINTABLE);
  if (at === -1) return undefined;
  return { position: at + 1, message: 'contains a control character or half of a surrogate pair' };
}

// oxlint-disable-next-line no-control-regex -- this expression finds control characters
const UNPRINTABLE = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;

/** Splits a text into tokens. If the scanner fails, calls the parser, whose error contains the position. */
function scan(parser: Parser, text: string): ReturnType<Parser['scanSync']>['tokens'] {
  try {
    return parser.scanSync(text).tokens;
  } catch {
    parser.parseSync(PREFIX + text);
    throw new ConditionError({}, 'cannot be read as SQL');
  }
}

/** Returns the condition of the WHERE clause. @throws ConditionError if there is another clause or statement */
function whereOf({ stmts = [] }: ParseResult): Node {
  const [only, ...more] = stmts;
  const statement = only?.stmt;
  if (more.length > 0 || statement === undefined || !('SelectStmt' in statement)) {
    throw new ConditionError({}, 'expected a single condition');
  }
  const { whereClause, ...rest } = statement.SelectStmt;
  const isOnlyClause = Object.keys(rest).every((key) => key === 'limitOption' || key === 'op');
  if (whereClause === undefined || !isOnlyClause || rest.op !== 'SETOP_NONE') {
    throw new ConditionError({}, 'expected a single condition');
  }
  return whereClause;
}

/** Converts the byte offset of an error to a position in characters, from 1. */
function locate({ location, message }: ConditionError, text: string): ConditionProblem {
  const byte = location.byte ?? (location.node === undefined ? -1 : location.node - PREFIX.length);
  if (byte < 0) return { message };
  return { position: Buffer.from(text).subarray(0, byte).toString().length + 1, message };
}
