import fc from 'fast-check';
import { BlockOpener, UnsealableError } from './block-opener.js';
import {
  BlockSealer,
  BLOCK_BYTES,
  SEALED_BLOCK_BYTES,
  sealedLength,
  STREAM_HEADER_BYTES,
} from './block-sealer.js';

const KEY = Buffer.alloc(32, 3);

/** Lengths near multiples of the block size. */
const length = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -2, max: 2 }))
  .map(([blocks, more]) => Math.max(0, blocks * BLOCK_BYTES + more));
const steps = fc.array(fc.integer({ min: 1, max: 150_000 }), { minLength: 1, maxLength: 5 });

describe('a sealed stream', () => {
  it('opens to the same content in any pieces of input', () => {
    fc.assert(
      fc.property(length, steps, steps, (bytes, sealSteps, openSteps) => {
        const plain = Buffer.alloc(bytes, 'plain');
        const sealed = seal(plain, sealSteps);
        expect(sealed).toHaveLength(sealedLength(bytes));
        expect(open(sealed, openSteps).equals(plain)).toBe(true);
      }),
    );
  });

  it('cannot be opened when it is cut anywhere, and never returns bytes that were not sealed', () => {
    fc.assert(
      fc.property(length, fc.nat(), steps, (bytes, at, openSteps) => {
        const plain = Buffer.alloc(bytes, 'plain');
        const sealed = seal(plain, [50_000]);
        const seen: Buffer[] = [];
        expect(() => open(sealed.subarray(0, at % sealed.length), openSteps, seen)).toThrow(UnsealableError);
        const given = Buffer.concat(seen);
        expect(given.equals(plain.subarray(0, given.length))).toBe(true);
      }),
    );
  });

  it('cannot be opened with a changed byte, and returns no byte of the changed block', () => {
    fc.assert(
      fc.property(length, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, where, change) => {
        const plain = Buffer.alloc(bytes, 'plain');
        const sealed = seal(plain, [50_000]);
        const at = where % sealed.length;
        sealed.writeUInt8(sealed.readUInt8(at) ^ change, at);
        const seen: Buffer[] = [];
        expect(() => open(sealed, [40_000], seen)).toThrow(UnsealableError);
        const block = Math.max(0, Math.floor((at - STREAM_HEADER_BYTES) / SEALED_BLOCK_BYTES));
        const given = Buffer.concat(seen);
        expect(given.length).toBeLessThanOrEqual(block * BLOCK_BYTES);
        expect(given.equals(plain.subarray(0, given.length))).toBe(true);
      }),
    );
  });

  it('cannot be opened with its blocks in another order or with a repeated block', () => {
    const sealed = seal(Buffer.alloc(3 * BLOCK_BYTES, 'plain'), [100_000]);
    const header = sealed.subarray(0, STREAM_HEADER_BYTES);
    const [a, b, c] = [0, 1, 2].map((block) => {
      const at = STREAM_HEADER_BYTES + block * SEALED_BLOCK_BYTES;
      return sealed.subarray(at, at + SEALED_BLOCK_BYTES);
    }) as [Buffer, Buffer, Buffer];
    expect(open(Buffer.concat([header, a, b, c]), [100_000])).toHaveLength(3 * BLOCK_BYTES);
    for (const blocks of [
      [b, a, c],
      [a, a, b, c],
      [a, c],
      [a, b, c, c],
      [a, b, c, a],
    ])
      expect(() => open(Buffer.concat([header, ...blocks]), [100_000])).toThrow(UnsealableError);
  });

  it('cannot be opened with another key', () => {
    const sealed = seal(Buffer.from('plain'), [10]);
    expect(() => open(sealed, [10], [], Buffer.alloc(32, 4))).toThrow(UnsealableError);
  });

  it('differs each time that the same content is sealed', () => {
    expect(seal(Buffer.from('plain'), [10]).equals(seal(Buffer.from('plain'), [10]))).toBe(false);
  });
});

function seal(plain: Buffer, steps: readonly number[]): Buffer {
  const sealer = new BlockSealer(KEY);
  const sealed = [...pieces(plain, steps)].map((piece) => sealer.update(piece));
  return Buffer.concat([...sealed, sealer.final()]);
}

/** @param seen receives the returned bytes, also if the stream fails */
function open(sealed: Buffer, steps: readonly number[], seen: Buffer[] = [], key = KEY): Buffer {
  const opener = new BlockOpener(key);
  for (const piece of pieces(sealed, steps)) seen.push(opener.update(piece));
  seen.push(opener.final());
  return Buffer.concat(seen);
}

/**
 * Cuts the bytes into pieces. The steps are the lengths of the pieces, and start again after the last step.
 */
function* pieces(bytes: Buffer, steps: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (let step = 0; at < bytes.length; step += 1) {
    const length = steps[step % steps.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}
