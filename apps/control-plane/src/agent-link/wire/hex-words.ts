/** Words of a keyed hash as lower-case hex: in order, each big-endian. */
export function hexWords(words: {
  readonly word0: bigint;
  readonly word1: bigint;
  readonly word2?: bigint;
  readonly word3?: bigint;
}): string {
  const { word0, word1, word2, word3 } = words;
  return [word0, word1, word2, word3]
    .flatMap((word) => (word === undefined ? [] : [word.toString(16).padStart(16, '0')]))
    .join('');
}

/** The same as bytes, for commands. */
export function bytesOfHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
