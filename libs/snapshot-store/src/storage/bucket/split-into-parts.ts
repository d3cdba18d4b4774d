export interface Part {
  /** Of the size asked for, unless it is the last. Overwritten when the next part but one is asked for. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Gathers content into parts; always gives a last one, which is empty only if there was no content at all. Takes the memory of two parts:
 * one may be sent while the next is filled.
 */
export async function* splitIntoParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Part, undefined> {
  let part: Buffer = Buffer.allocUnsafeSlow(partBytes);
  let other: Buffer | undefined;
  let filled = 0;
  for await (const piece of content) {
    for (let taken = 0; taken < piece.length;) {
      // A part leaves only when there is a byte after it: it is known then that it is not the last.
      if (filled === partBytes) {
        yield { bytes: part, isLast: false };
        [part, other] = [other ?? Buffer.allocUnsafeSlow(partBytes), part];
        filled = 0;
      }
      const fits = piece.subarray(taken, taken + partBytes - filled);
      part.set(fits, filled);
      filled += fits.length;
      taken += fits.length;
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true };
  return undefined;
}
