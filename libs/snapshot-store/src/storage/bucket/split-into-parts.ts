export interface Part {
  /**
   * Exactly `partBytes` long unless it is the last part. The buffer is reused: requesting the second part after
   * this one overwrites it.
   */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Splits content into parts. There is always a last part, which is empty only if the content is empty. Needs
 * the memory of two parts, so that one can be sent while the next is filled.
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
      // A full part is returned only when another byte shows that it is not the last.
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
