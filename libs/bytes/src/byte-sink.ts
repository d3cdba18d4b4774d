/**
 * Collects bytes in one growing array: the first `length` bytes of `bytes` are its content. Set `length` to 0
 * to start again in the same buffer.
 */
export class ByteSink {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1 << 17) {
    this.bytes = new Uint8Array(capacity);
  }

  /**
   * Enlarges the array if it cannot take `count` more bytes. Callers may then write that many bytes at
   * `length` without checks.
   */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    let capacity = Math.max(64, this.bytes.length * 2);
    while (capacity < needed) capacity *= 2;
    const grown = new Uint8Array(capacity);
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  writeByte(byte: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** Appends `text`. Its characters must be U+0000 to U+007F; any other character is written incorrectly. */
  writeAscii(text: string): void {
    const { length } = text;
    this.reserve(length);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i);
    this.length = at;
  }

  /** Appends `source[start, end)`. */
  write(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.reserve(count);
    // For a few bytes, a loop is faster than a call into native code.
    if (count < 48) {
      const { bytes } = this;
      let at = this.length;
      for (let i = start; i < end; i++) bytes[at++] = source[i] as number;
    } else {
      this.bytes.set(source.subarray(start, end), this.length);
    }
    this.length += count;
  }

  /** Returns a copy of the content, and empties the sink. The sink keeps its buffer. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}
