import fc from 'fast-check';

import { ByteSink } from './byte-sink.js';

const append = fc.oneof(
  fc.record({ byte: fc.nat(255) }),
  fc.record({ ascii: fc.string({ maxLength: 60 }) }),
  fc.record({ slice: fc.uint8Array({ maxLength: 120 }), start: fc.nat(60) }),
);

it('keeps appended bytes in order for any initial capacity', () => {
  fc.assert(
    fc.property(fc.array(append), fc.nat(200), (appends, capacity) => {
      const sink = new ByteSink(capacity);
      const expected: number[] = [];
      for (const one of appends) {
        if ('byte' in one) {
          sink.writeByte(one.byte);
          expected.push(one.byte);
        } else if ('ascii' in one) {
          sink.writeAscii(one.ascii);
          expected.push(...Buffer.from(one.ascii, 'latin1'));
        } else {
          const start = Math.min(one.start, one.slice.length);
          sink.write(one.slice, start, one.slice.length);
          expected.push(...one.slice.subarray(start));
        }
      }
      expect([...sink.bytes.subarray(0, sink.length)]).toEqual(expected);
    }),
  );
});

it('returns a copy from take() and reuses its buffer', () => {
  const sink = new ByteSink(4);
  sink.writeAscii('abcd');
  const { bytes } = sink;
  const taken = sink.take();
  sink.writeAscii('xy');
  expect(sink.bytes).toBe(bytes);
  expect(Buffer.from(taken).toString()).toBe('abcd');
  expect(Buffer.from(sink.take()).toString()).toBe('xy');
});
