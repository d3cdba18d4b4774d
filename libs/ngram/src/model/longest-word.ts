/**
 * In code points. No model learns or writes a longer value: a hostile one could otherwise go on for billions of
 * symbols.
 */
export const LONGEST_WORD = 65_536;
