/** The language and the text of a function or a default. */
export interface Code {
  readonly language: string;
  readonly body: string;
}

/** Matches texts that {@link computesSql} must read. Valid in PostgreSQL and JavaScript. */
export const RUNS_SQL = 'execute|query_to_xml|ts_stat|spi|plpy|plv8|plr';

/**
 * Tests whether code runs SQL that it computes, and that may therefore call nextval with any name. Literals, identifiers
 * and values that are quoted into a literal are known text. It is computed text if it calls nextval, because the caller
 * of this function reads names only from single literals. All else is computed.
 */
export function computesSql({ language, body }: Code): boolean {
  if (language !== 'plpgsql' && language !== 'sql') return /exec|prepare|query/i.test(body);
  const tokens = tokensOf(body);
  return tokens.some((token, at) => {
    const word = token.toLowerCase();
    if (word === 'execute' && language === 'plpgsql') {
      // GRANT EXECUTE ON runs nothing.
      return tokens[at + 1]?.toLowerCase() !== 'on' && isComputed(argument(tokens, at + 1, END_OF_EXECUTE));
    }
    return (
      RUNS_ARGUMENT.has(word) &&
      tokens[at + 1] === '(' &&
      isComputed(argument(tokens, at + 2, END_OF_ARGUMENT))
    );
  });
}

const RUNS_ARGUMENT = new Set([
  'query_to_xml',
  'query_to_xmlschema',
  'query_to_xml_and_xmlschema',
  'ts_stat',
]);
const END_OF_EXECUTE = new Set([';', 'using', 'into', 'loop']);
const END_OF_ARGUMENT = new Set([',', ')']);

const TOKEN =
  /e'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|\$(\w*)\$[^]*?\$\1\$|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|[a-z_][\w$]*|\s+|\|\||::|[^]/gi;

function tokensOf(body: string): readonly string[] {
  return [...body.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^(\s|--|\/\*)/.test(token));
}

/** Returns the tokens from a position up to the first of `ends` that is not in parentheses. */
function argument(tokens: readonly string[], from: number, ends: ReadonlySet<string>): readonly string[] {
  let depth = 0;
  let to = from;
  for (; to < tokens.length; to += 1) {
    const token = tokens[to]?.toLowerCase() ?? '';
    if (depth === 0 && ends.has(token)) break;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
  }
  return tokens.slice(from, to);
}

function isComputed(tokens: readonly string[]): boolean {
  const text = knownText(tokens);
  if (text === undefined) return true;
  const isOneLiteral = tokens.filter(isLiteral).length === 1 && !text.includes(QUOTED);
  return /nextval|setval/i.test(text) && !isOneLiteral;
}

/** Returns the text of an expression, with {@link QUOTED} for each quoted value; undefined if other parts can be any text. */
function knownText(tokens: readonly string[]): string | undefined {
  const parts = splitAt(tokens, '||').map(textOfPart);
  return parts.includes(undefined) ? undefined : parts.join('');
}

function textOfPart(part: readonly string[]): string | undefined {
  const [first = '', second] = part;
  if (isLiteral(first)) return isCast(part.slice(1)) ? contentOf(first) : undefined;
  const isCall =
    second === '(' && part.at(-1) === ')' && argument(part, 2, END_OF_CALL).length === part.length - 3;
  if (isCall && QUOTES.has(first.toLowerCase())) return QUOTED;
  if (isCall && first.toLowerCase() === 'format') return formatText(part.slice(2, -1));
  const isInParentheses = first === '(' && argument(part, 1, END_OF_CALL).length === part.length - 2;
  return isInParentheses ? knownText(part.slice(1, -1)) : undefined;
}

/** Stands for a value that is quoted into a text. No function contains it. */
const QUOTED = '\0';
const END_OF_CALL = new Set([')']);
const QUOTES = new Set(['quote_ident', 'quote_literal', 'quote_nullable']);

/** Returns the text of a format whose values are all quoted. */
function formatText(tokens: readonly string[]): string | undefined {
  const text = knownText(argument(tokens, 0, END_OF_ARGUMENT))?.replaceAll('%%', QUOTED);
  const quoted = text?.replaceAll(/%(\d+\$)?-?(\d+|\*(\d+\$)?)?[IL]/g, QUOTED);
  return quoted?.includes('%') === true ? undefined : quoted;
}

function isLiteral(token: string | undefined): boolean {
  return token !== undefined && /^(e?'|\$\w*\$[^])/i.test(token);
}

/** A cast to one type, such as `::text`. */
function isCast(tokens: readonly string[]): boolean {
  return tokens.length === 0 || (tokens.length === 2 && tokens[0] === '::');
}

function contentOf(literal: string): string {
  return literal.replace(/^(e?'|\$\w*\$)/i, '').replace(/('|\$\w*\$)$/, '');
}

function splitAt(tokens: readonly string[], separator: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0 && token === separator) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
