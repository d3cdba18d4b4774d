/** The first `max` code points of `text`; the same string when it has no more (PostgreSQL counts characters so). */
export function cutToLength(text: string, max: number): string {
  if (text.length <= max) return text;
  let at = 0;
  for (let points = 0; points < max; points++) {
    if (at >= text.length) return text;
    at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  }
  return at >= text.length ? text : text.slice(0, at);
}
