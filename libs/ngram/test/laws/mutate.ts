import type { RandomStream } from '@understudy/random';
import { crc32 } from '../../src/file/crc32.js';

/** Overwrites, inserts, removes or copies some bytes. */
export function mutate(bytes: Uint8Array, random: RandomStream): Uint8Array {
  let mutated = bytes.slice();
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) {
    const at = random.below(mutated.length);
    const kind = random.below(20);
    if (kind < 8) mutated[at] = random.below(256);
    else if (kind < 12) mutated[at] = (mutated[at] ?? 0) ^ (1 << random.below(8));
    else if (kind < 14) setWord(mutated, at, 2 ** random.below(33) - random.below(2));
    else if (kind < 15) setWord(mutated, 32 + random.below(10 * 4) * 4, random.below(mutated.length + 8));
    else if (kind < 17) mutated.copyWithin(at, random.below(mutated.length), random.below(mutated.length));
    else if (kind < 18) mutated = mutated.slice(0, Math.max(5, at));
    else mutated = Uint8Array.from([...mutated.subarray(0, at), ...mutated.subarray(random.below(at + 1))]);
  }
  return mutated;
}

/**
 * Copies some sections of `donor` into a file, with their tags and element widths. Each copied section
 * replaces the section with the same tag, or is added if the file has no such section.
 */
export function splice(bytes: Uint8Array, donor: Uint8Array, random: RandomStream): Uint8Array {
  const sections = sectionsOf(bytes);
  for (const section of sectionsOf(donor)) {
    if (random.below(3) > 0) continue;
    const at = sections.findIndex(({ tag }) => tag === section.tag);
    if (at < 0) sections.push(section);
    else sections[at] = section;
  }
  const table = 32 + sections.length * 16;
  const end = sections.reduce((sum, { content }) => sum + aligned(content.length), aligned(table));
  const spliced = new Uint8Array(end + 4);
  const view = new DataView(spliced.buffer);
  spliced.set(bytes.subarray(0, 32));
  view.setUint32(16, sections.length, true);
  let offset = aligned(table);
  sections.forEach(({ tag, width, content }, i) => {
    const entry = [tag, offset, content.length, width];
    entry.forEach((word, at) => view.setUint32(32 + i * 16 + at * 4, word, true));
    spliced.set(content, offset);
    offset += aligned(content.length);
  });
  return spliced;
}

function sectionsOf(bytes: Uint8Array): { tag: number; width: number; content: Uint8Array }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: view.getUint32(16, true) }, (_, i) => {
    const word = (at: number) => view.getUint32(32 + i * 16 + at, true);
    return { tag: word(0), width: word(12), content: bytes.subarray(word(4), word(4) + word(8)) };
  });
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/**
 * Corrects the length and the checksum of a file, so that the reader does not reject the file because of
 * them.
 */
export function repair(bytes: Uint8Array): void {
  if (bytes.length < 16) return;
  const view = new DataView(bytes.buffer);
  view.setUint32(12, bytes.length, true);
  view.setUint32(bytes.length - 4, crc32(bytes, bytes.length - 4), true);
}

function setWord(bytes: Uint8Array, at: number, value: number): void {
  if (bytes.length >= 4)
    new DataView(bytes.buffer).setUint32(Math.min(at & ~3, bytes.length - 4) & ~3, value, true);
}
