import fc from 'fast-check';
import { splitIntoParts } from './split-into-parts.js';

const content = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });

describe('the parts of a stream', () => {
  it('have the same size except for the last, and contain all bytes in order', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 50 }), async (pieces, partBytes) => {
        const parts: { bytes: Buffer; isLast: boolean }[] = [];
        for await (const { bytes, isLast } of splitIntoParts(from(pieces), partBytes))
          parts.push({ bytes: Buffer.from(bytes), isLast });
        const whole = Buffer.concat(pieces);
        expect(Buffer.concat(parts.map(({ bytes }) => bytes))).toEqual(whole);
        expect(parts.map(({ isLast }) => isLast)).toEqual(parts.map((_, at) => at === parts.length - 1));
        for (const { bytes, isLast } of parts) expect(isLast ? partBytes : bytes.length).toBe(partBytes);
        expect(parts).toHaveLength(Math.max(1, Math.ceil(whole.length / partBytes)));
      }),
    );
  });

  it('keep their bytes while the next part is filled', async () => {
    const parts = splitIntoParts(from([Buffer.from('aabbccdd')]), 2);
    let before: Buffer | undefined;
    for (const expected of ['aa', 'bb', 'cc', 'dd']) {
      const held = before?.toString();
      const { value } = await parts.next();
      expect(before?.toString()).toBe(held);
      before = value?.bytes;
      expect(before?.toString()).toBe(expected);
    }
  });
});

async function* from(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
