import { compareTexts } from './compare-texts.js';

describe('compareTexts', () => {
  it('counts the bytes of equal texts', () => {
    expect(compareTexts('{"a":"é"}\n', '{"a":"é"}\n')).toEqual({ kind: 'same', bytes: 11 });
  });

  it('finds the first line that differs', () => {
    expect(compareTexts('a\nb\nc\n', 'a\nx\nc\n')).toEqual({
      kind: 'different',
      line: 2,
      page: 'b',
      api: 'x',
    });
  });

  it.each([
    ['a\nb', 'a', 2, 'b', undefined],
    ['a\n', 'a\nb\n', 2, '', 'b'],
    ['', 'a', 1, '', 'a'],
  ])('finds where one of %j and %j ends', (page, api, line, pageLine, apiLine) => {
    expect(compareTexts(page, api)).toEqual({ kind: 'different', line, page: pageLine, api: apiLine });
  });
});
