// Unicode's identifiers, and every letter, mark and number, some of which those leave out.
const PLAIN = /[\p{ID_Start}\p{L}_$][\p{ID_Continue}\p{L}\p{M}\p{N}$]*/uy;

/** The words that are values and not names. */
export const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** The name that begins at `at` and needs no back-quotes. */
export function matchPlainName(source: string, at: number): string | undefined {
  PLAIN.lastIndex = at;
  return PLAIN.exec(source)?.[0];
}

/** A name as an expression refers to it, in back-quotes where it needs them. */
export function writeName(name: string): string {
  const plain = matchPlainName(name, 0) === name && !CONSTANTS.has(name);
  return plain ? name : `\`${name.replace(/[`\\]/g, '\\$&')}\``;
}
