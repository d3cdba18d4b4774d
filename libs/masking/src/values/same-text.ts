import type { ByteSink } from '@understudy/bytes';

const BLANK = 0x20;

/**
 * Compares the text written to the sink since `from` with the field `bytes[start, end)`. Both are in the same
 * format, so equal text means equal bytes.
 * @param blankPadded whether to ignore trailing blanks
 */
export function sameText(
  written: ByteSink,
  from: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  blankPadded: boolean,
): boolean {
  let length = written.length - from;
  let oldEnd = end;
  if (blankPadded) {
    while (length > 0 && written.bytes[from + length - 1] === BLANK) length--;
    while (oldEnd > start && bytes[oldEnd - 1] === BLANK) oldEnd--;
  }
  if (length !== oldEnd - start) return false;
  for (let i = 0; i < length; i++) if (written.bytes[from + i] !== bytes[start + i]) return false;
  return true;
}
