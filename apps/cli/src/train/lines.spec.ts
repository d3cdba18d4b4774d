import fc from 'fast-check';

import { LineSplitter, LONGEST_LINE } from './lines.js';

function split(pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const piece of pieces) splitter.push(piece);
  splitter.finish();
  return lines;
}

describe('LineSplitter', () => {
  it('returns the same lines for any cuts of the text', () => {
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
  ])('splits %j into %j', (text, lines) => {
    expect(split([text])).toEqual(lines);
  });

  it('cuts a line that is too long and returns the complete next line', () => {
    const pieces = [...Array.from({ length: 40 }, () => 'x'.repeat(100_000)), '\nnext'];
    expect(split(pieces).map(({ length }) => length)).toEqual([LONGEST_LINE, 4]);
  });
});
