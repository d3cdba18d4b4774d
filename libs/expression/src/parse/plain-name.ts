// Unicode identifiers, extended by all other letters, marks and numbers.
const PLAIN = /[\p{ID_Start}\p{L}_$][\p{ID_Continue}\p{L}\p{M}\p{N}$]*/uy;

/** The words that are constants, not names. */
export const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Returns the name that starts at `at` without a back-quote, or undefined if there is none. */
export function matchPlainName(source: string, at: number): string | undefined {
  PLAIN.lastIndex = at;
  return PLAIN.exec(source)?.[0];
}

/** Formats a name for an expression, in back-quotes if it needs them. */
export function writeName(name: string): string {
  const plain = matchPlainName(name, 0) === name && !CONSTANTS.has(name);
  return plain ? name : `\`${name.replace(/[`\\]/g, '\\$&')}\``;
}
