import type { Node, ParseResult } from 'libpg-query';

import { checkTokens } from './check-tokens.js';
import { ConditionError, type ConditionProblem, type RowCondition } from './row-condition.js';
import { readTree } from './read-tree.js';

export const MAX_CONDITION_BYTES = 4_096;

export type ParsedRowCondition =
  { readonly condition: RowCondition } | { readonly problem: ConditionProblem };

type Parser = typeof import('libpg-query');

const PREFIX = 'SELECT WHERE ';

/**
 * Reads a `where`: comparisons (`=`, `<>`, `<`, `<=`, `>`, `>=`, IN, BETWEEN, LIKE, ILIKE, IS NULL) of columns with literals or
 * columns, joined by AND, OR and NOT. The parser is PostgreSQL's own; of its tree only what is known here goes on, so
 * that the text itself is never needed again. Always resolves.
 * Cost: a few milliseconds for the longest text allowed; the parser is loaded with the first one.
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
      const message = 'is not a condition as SQL has it';
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
    return { message: `has more than ${MAX_CONDITION_BYTES} bytes` };
  }
  const at = text.search(UNPRINTABLE);
  if (at === -1) return undefined;
  return { position: at + 1, message: 'holds a control character or half of a surrogate pair' };
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const UNPRINTABLE = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;

/** The scanner's answer to text that it cannot read is no JSON; the parser says what is wrong and where. */
function scan(parser: Parser, text: string): ReturnType<Parser['scanSync']>['tokens'] {
  try {
    return parser.scanSync(text).tokens;
  } catch {
    parser.parseSync(PREFIX + text);
    throw new ConditionError({}, 'cannot be read as SQL');
  }
}

/** The condition of the one statement that was read, if there is nothing beside it. */
function whereOf({ stmts = [] }: ParseResult): Node {
  const [only, ...more] = stmts;
  const statement = only?.stmt;
  if (more.length > 0 || statement === undefined || !('SelectStmt' in statement)) {
    throw new ConditionError({}, 'is more than a condition');
  }
  const { whereClause, ...rest } = statement.SelectStmt;
  const isAlone = Object.keys(rest).every((key) => key === 'limitOption' || key === 'op');
  if (whereClause === undefined || !isAlone || rest.op !== 'SETOP_NONE') {
    throw new ConditionError({}, 'is more than a condition');
  }
  return whereClause;
}

/** Readers count characters, from 1. */
function locate({ place, message }: ConditionError, text: string): ConditionProblem {
  const byte = place.byte ?? (place.node === undefined ? -1 : place.node - PREFIX.length);
  if (byte < 0) return { message };
  return { position: Buffer.from(text).subarray(0, byte).toString().length + 1, message };
}
