const SURROGATE = /[\ud800-\udfff]/;

/** Returns the number of code points of a text. A lone surrogate counts as one. */
export function codePointLength(text: string): number {
  return SURROGATE.test(text) ? pointsUpTo(text, text.length) : text.length;
}

/**
 * Returns the code points from `from` up to, but not including, `to`. Truncates bounds that are not whole
 * numbers.
 */
export function codePointSlice(text: string, from: number, to: number): string {
  // Without surrogates, each UTF-16 unit is a code point.
  if (!SURROGATE.test(text)) return text.slice(from, to);
  const start = unitOf(text, 0, Math.trunc(from));
  return text.slice(start, unitOf(text, start, Math.trunc(to) - Math.trunc(from)));
}

/** Returns the first `limit` code points as separate texts. */
export function codePoints(text: string, limit: number): string[] {
  const points: string[] = [];
  for (let at = 0; at < text.length && points.length < limit; at += widthAt(text, at)) {
    points.push(text.slice(at, at + widthAt(text, at)));
  }
  return points;
}

function pointsUpTo(text: string, end: number): number {
  let points = 0;
  for (let at = 0; at < end; at += widthAt(text, at)) points += 1;
  return points;
}

/** Returns the index of the UTF-16 unit that is `points` code points after the unit `start`. */
function unitOf(text: string, start: number, points: number): number {
  let at = start;
  for (let i = 0; i < points && at < text.length; i += 1) at += widthAt(text, at);
  return at;
}

function widthAt(text: string, at: number): number {
  const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
  return isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}
