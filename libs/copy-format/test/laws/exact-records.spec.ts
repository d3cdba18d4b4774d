import { ByteSink } from '@understudy/bytes';
import { parseExactJson } from '@understudy/expression';
import { csvRecordWriter, ndjsonRecordWriter, sqlRecordWriter } from '@understudy/records';
import fc from 'fast-check';

import { copyRecordWriter } from '../../src/index.js';

const digits = fc.stringMatching(/^[1-9][0-9]{16,58}[1-9]$/);
const longNumber = fc.oneof(
  digits,
  fc.tuple(digits, digits).map(([whole, fraction]) => `-${whole}.${fraction}`),
);

describe('every format of records', () => {
  it('has all digits of numbers that no double prints', () => {
    const columns = ['a', 'b', 'c'];
    const sink = new ByteSink(64);
    fc.assert(
      fc.property(longNumber, (number) => {
        const [value, list, object] = parseExactJson(`[${number},[${number}],{"d":${number}}]`) as unknown[];
        const written = [
          ndjsonRecordWriter(columns),
          csvRecordWriter(columns),
          sqlRecordWriter(columns),
          copyRecordWriter(columns),
          copyRecordWriter(columns, ['b', 'c']),
        ].map((writer) => {
          writer.write([value, list, object], sink);
          return new TextDecoder().decode(sink.take());
        });
        expect(written).toEqual([
          `{"a":${number},"b":[${number}],"c":{"d":${number}}}\n`,
          `${number},[${number}],"{""d"":${number}}"\r\n`,
          `(${number}, '[${number}]', '{"d":${number}}')`,
          `${number}\t[${number}]\t{"d":${number}}\n`,
          `${number}\t{${number}}\t{"d":${number}}\n`,
        ]);
      }),
    );
  });

  it('has them in the objects of an array column', () => {
    const sink = new ByteSink(64);
    const value = parseExactJson('[{"d":9007199254740993},[0.12345678901234567890]]');
    copyRecordWriter(['a'], ['a']).write([value], sink);
    expect(new TextDecoder().decode(sink.take())).toBe(
      '{"{\\\\"d\\\\":9007199254740993}",{0.12345678901234567890}}\n',
    );
  });
});
