/**
 * A value that is being added to a model: its code points and their UTF-8 bytes. The buffer is reused for
 * every value.
 */
export class ValueBuffer {
  points = new Int32Array(256);
  pointCount = 0;
  bytes = new Uint8Array(1024);
  byteCount = 0;

  clear(): void {
    this.pointCount = 0;
    this.byteCount = 0;
  }

  /** Appends `text[from, to)`. A lone surrogate becomes U+FFFD. */
  append(text: string, from: number, to: number): void {
    this.reserve(to - from);
    const { points, bytes } = this;
    let { pointCount, byteCount } = this;
    for (let i = from; i < to; i += 1) {
      let point = text.charCodeAt(i);
      if (point < 0x80) {
        bytes[byteCount++] = point;
      } else if (point < 0x800) {
        bytes[byteCount++] = 0xc0 | (point >> 6);
        bytes[byteCount++] = 0x80 | (point & 63);
      } else {
        if ((point & 0xf800) === 0xd800) {
          const low = i + 1 < to ? text.charCodeAt(i + 1) : 0;
          if (point < 0xdc00 && (low & 0xfc00) === 0xdc00) {
            point = 0x10000 + ((point & 0x3ff) << 10) + (low & 0x3ff);
            i += 1;
          } else {
            point = 0xfffd;
          }
        }
        if (point < 0x10000) {
          bytes[byteCount++] = 0xe0 | (point >> 12);
        } else {
          bytes[byteCount++] = 0xf0 | (point >> 18);
          bytes[byteCount++] = 0x80 | ((point >> 12) & 63);
        }
        bytes[byteCount++] = 0x80 | ((point >> 6) & 63);
        bytes[byteCount++] = 0x80 | (point & 63);
      }
      points[pointCount++] = point;
    }
    this.pointCount = pointCount;
    this.byteCount = byteCount;
  }

  private reserve(units: number): void {
    if (this.pointCount + units > this.points.length) {
      const larger = new Int32Array((this.pointCount + units) * 2);
      larger.set(this.points);
      this.points = larger;
    }
    if (this.byteCount + units * 3 > this.bytes.length) {
      const larger = new Uint8Array((this.byteCount + units * 3) * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
  }
}
