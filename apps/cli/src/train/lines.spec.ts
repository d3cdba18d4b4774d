import fc from 'fast-check';

import { LineSplitter, LONGEST_LINE } from './lines.js';

function split(pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const piece of pieces) splitter.push(piece);
  splitter.finish();
  return lines;
}

describe('lines', () => {
  it('are the same wherever the text was cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é', ' ') });
    fc.assert(
      fc.property(text, fc.array(fc.nat(30)), (whole, cuts) => {
        const at = [0, ...[...cuts].sort((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end));
        expect(split(pieces)).toEqual(split([whole]));
      }),
    );
  });

  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['\n\na', ['', '', 'a']],
    ['a\rb\n', ['a\rb']],
  ])('of %j are %j', (text, lines) => {
    expect(split([text])).toEqual(lines);
  });

  it('are cut where they are too long for any value, and the next one is whole', () => {
    const pieces = [...Array.from({ length: 40 }, () => 'x'.repeat(100_000)), '\nnext'];
    expect(split(pieces).map(({ length }) => length)).toEqual([LONGEST_LINE, 4]);
  });
});
