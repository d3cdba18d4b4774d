/** How often a text is decoded, because escapes can be nested: `%2540` is `%40`, which is `@`. */
const MAX_ROUNDS = 3;
const ESCAPE =
  /%(?:u00)?([2-7][\da-f])|\\+(?:u00|x|u\{0{0,4})([2-7][\da-f])\}?|&(?:amp;){0,3}#x0{0,6}([2-7][\da-f]);|&(?:amp;){0,3}#0{0,6}(\d{2,3});|&(?:amp;){0,3}(commat|period);|\s?[([{]\s?(at|dot)\s?[)\]}]\s?|(?<=[\w.+-])(?:=40(?=\p{L})|\\+100(?=[\p{L}\d]))|[＠﹫]/giu;
const HAS_ESCAPE = /[%\\＠﹫]|=40|&\w*[#;]|[([{] ?(?:at|dot) ?[)\]}]/i;
const NAMED: Readonly<Record<string, string>> = { commat: '@', period: '.', at: '@', dot: '.' };

/**
 * Decodes characters that URLs, HTML and JSON write as escapes, such as `%40`, `&#64;` and `\u0040`. Also decodes `＠`,
 * `[at]` and `(dot)`, and the sign in quoted-printable (`=40`) and octal (`\100`) form. Leaves other escapes as they
 * are.
 */
export function decodeEscapes(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_ROUNDS && HAS_ESCAPE.test(decoded); round++) {
    const next = decoded.replace(ESCAPE, (whole, ...groups) => {
      const [percent, json, hex, decimal, entity, word] = groups as (string | undefined)[];
      const code = percent ?? json ?? hex;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (decimal !== undefined) return Number(decimal) < 127 ? String.fromCharCode(Number(decimal)) : whole;
      return NAMED[(entity ?? word ?? 'at').toLowerCase()] ?? whole;
    });
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}
