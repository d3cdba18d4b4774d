export interface Part {
  /** Of the size asked for, unless it is the last. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Gathers content into parts; always gives a last one, which is empty only if there was no content at all. */
export async function* inParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Part, undefined> {
  // A part leaves only when there is a byte after it, and has its own memory: it is being sent while the next is filled.
  let part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const piece of content) {
    for (let taken = 0; taken < piece.length;) {
      if (filled === partBytes) {
        yield { bytes: part, isLast: false };
        part = Buffer.allocUnsafeSlow(partBytes);
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
