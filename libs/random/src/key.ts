/** 128 bits as four signed 32-bit words, least significant first. Immutable; compared by identity in hot code. */
export type Key = Readonly<{ a: number; b: number; c: number; d: number }>;

/** The key of the first 16 bytes, little-endian. @throws RangeError when there are fewer than 16. */
export function keyFromBytes(bytes: Uint8Array): Key {
  if (bytes.length < 16) throw new RangeError(`a key takes 16 bytes, got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return Object.freeze({
    a: view.getInt32(0, true),
    b: view.getInt32(4, true),
    c: view.getInt32(8, true),
    d: view.getInt32(12, true),
  });
}
