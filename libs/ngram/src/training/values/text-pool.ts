import { SortedTexts } from '../../model/sorted-texts.js';

/**
 * Distinct texts in UTF-8, numbered in the order of their first occurrence. A text takes its UTF-8 bytes and
 * about 12 more bytes, and is not a JavaScript object.
 */
export class TextPool {
  size = 0;
  private bytes = new Uint8Array(4096);
  private offsets = new Uint32Array(256);
  private slots = new Int32Array(512); // number + 1; 0 is free

  /** @returns the number of the text `source[from, to)`; it equals the previous `size` if the text is new */
  intern(source: Uint8Array, from: number, to: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(source, from, to) & mask;
    for (;;) {
      const index = (this.slots[slot] as number) - 1;
      if (index < 0) return this.add(source, from, to, slot);
      if (this.equals(index, source, from, to)) return index;
      slot = (slot + 1) & mask;
    }
  }

  /** Returns the texts with these numbers, sorted. `order[i]` is the number of the text at position `i`. */
  sorted(numbers: Iterable<number>): { texts: SortedTexts; order: Uint32Array } {
    const order = Uint32Array.from(numbers).sort((x, y) => this.compare(x, y));
    const offsets = new Uint32Array(order.length + 1);
    order.forEach((number, i) => {
      offsets[i + 1] = (offsets[i] as number) + this.lengthOf(number);
    });
    const bytes = new Uint8Array(offsets[order.length] as number);
    order.forEach((number, i) => {
      bytes.set(this.bytes.subarray(this.offsets[number], this.offsets[number + 1]), offsets[i]);
    });
    return { texts: new SortedTexts(offsets, bytes), order };
  }

  private lengthOf(index: number): number {
    return (this.offsets[index + 1] as number) - (this.offsets[index] as number);
  }

  private equals(index: number, source: Uint8Array, from: number, to: number): boolean {
    const start = this.offsets[index] as number;
    if ((this.offsets[index + 1] as number) - start !== to - from) return false;
    for (let i = from; i < to; i += 1) if (this.bytes[start + i - from] !== source[i]) return false;
    return true;
  }

  private compare(x: number, y: number): number {
    const [xStart, yStart] = [this.offsets[x] as number, this.offsets[y] as number];
    const shared = Math.min(this.lengthOf(x), this.lengthOf(y));
    for (let i = 0; i < shared; i += 1) {
      const difference = (this.bytes[xStart + i] as number) - (this.bytes[yStart + i] as number);
      if (difference !== 0) return difference;
    }
    return this.lengthOf(x) - this.lengthOf(y);
  }

  private add(source: Uint8Array, from: number, to: number, slot: number): number {
    const start = this.offsets[this.size] as number;
    const end = start + to - from;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2));
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(source.subarray(from, to), start);
    const index = this.size++;
    this.offsets[this.size] = end;
    this.slots[slot] = index + 1;
    if (this.size + 1 === this.offsets.length) this.grow();
    return index;
  }

  private grow(): void {
    const larger = new Uint32Array(this.offsets.length * 2);
    larger.set(this.offsets);
    this.offsets = larger;
    this.slots = new Int32Array(larger.length * 2);
    const mask = this.slots.length - 1;
    for (let index = 0; index < this.size; index += 1) {
      let slot = hash(this.bytes, this.offsets[index] as number, this.offsets[index + 1] as number) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = index + 1;
    }
  }
}

function hash(bytes: Uint8Array, from: number, to: number): number {
  let mixed = 0x811c9dc5;
  for (let i = from; i < to; i += 1) mixed = Math.imul(mixed ^ (bytes[i] as number), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
