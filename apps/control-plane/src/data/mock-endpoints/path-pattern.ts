/** The parsed path of an endpoint, such as `/api/users/:id`. */
export interface PathPattern {
  readonly segments: readonly Segment[];
  readonly hasParams: boolean;
  /** A text that is identical for two patterns exactly if they match the same paths. */
  readonly shape: string;
}

/** One part of a path between slashes: a literal, or the name of a parameter. */
type Segment = { readonly literal: string } | { readonly param: string };

export const MAX_PATH_CHARACTERS = 500;
const MAX_SEGMENTS = 32;
const MAX_VALUE_CHARACTERS = 500;
const LITERAL = /^[\p{L}\p{M}\p{N}._~!$&'()*+,;=@-]+$/u;
const PARAM = /^:([A-Za-z_][A-Za-z0-9_]{0,63})$/;

export function parsePathPattern(
  path: string,
): { readonly pattern: PathPattern } | { readonly problem: string } {
  if (path.length > MAX_PATH_CHARACTERS)
    return { problem: `expected at most ${MAX_PATH_CHARACTERS} characters, got ${path.length}` };
  if (!path.startsWith('/'))
    return { problem: 'expected a path that begins with a slash, like /api/users/:id' };
  const segments: Segment[] = [];
  const texts = path.slice(1).split('/');
  if (texts.length > MAX_SEGMENTS) return { problem: `expected at most ${MAX_SEGMENTS} segments` };
  for (const [index, text] of texts.entries()) {
    const isLast = index === texts.length - 1;
    const problem = text === '' && isLast ? undefined : problemOf(text, segments);
    if (problem !== undefined) return { problem };
    const [, param] = PARAM.exec(text) ?? [];
    segments.push(param === undefined ? { literal: text.normalize('NFC') } : { param });
  }
  // A colon cannot be part of a literal, so the shape is unambiguous.
  const shape = segments.map((segment) => ('param' in segment ? ':' : segment.literal)).join('/');
  const hasParams = segments.some((segment) => 'param' in segment);
  return { pattern: { segments, hasParams, shape: `/${shape}` } };
}

function problemOf(text: string, before: readonly Segment[]): string | undefined {
  if (text === '') return 'expected a path without two slashes in a row';
  if (text === '.' || text === '..') return 'expected a path without the segments . and ..';
  const [, param] = PARAM.exec(text) ?? [];
  if (param !== undefined) {
    const isTaken = before.some((segment) => 'param' in segment && segment.param === param);
    return isTaken ? `expected each parameter once, got ":${param}" twice` : undefined;
  }
  if (text.startsWith(':'))
    return 'expected a parameter of a colon and a name of letters, digits and underscores, like :id';
  if (text.includes('%')) return 'expected a path without percent-encoding; write the characters themselves';
  return LITERAL.test(text)
    ? undefined
    : "expected a segment that contains only letters, digits and . _ ~ ! $ & ' ( ) + , ; = @ -";
}

/**
 * @param path the path of a request, percent-encoded and without its query
 * @returns the decoded values of the parameters, or undefined if the pattern does not match
 */
export function matchPath({ segments }: PathPattern, path: string): Record<string, string> | undefined {
  if (!path.startsWith('/')) return undefined;
  const texts = path.slice(1).split('/');
  if (texts.length !== segments.length) return undefined;
  const params: [string, string][] = [];
  for (const [index, segment] of segments.entries()) {
    const text = decode(texts[index] ?? '');
    if (text === undefined) return undefined;
    if ('literal' in segment) {
      if (text.normalize('NFC') !== segment.literal) return undefined;
    } else if (isValue(text)) {
      params.push([segment.param, text]);
    } else {
      return undefined;
    }
  }
  return Object.fromEntries(params);
}

/**
 * Returns whether a parameter may have this value. Dot segments are refused in any encoding, because clients
 * resolve them before the request.
 */
function isValue(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.length <= MAX_VALUE_CHARACTERS;
}

function decode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // not UTF-8, so no pattern can match
  }
}
