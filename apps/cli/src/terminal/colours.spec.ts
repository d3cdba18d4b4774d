import { coloursOf, showsColour } from './colours.js';

describe('showsColour', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [undefined, {}, false],
    [true, { TERM: 'dumb' }, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: '3', NO_COLOR: '1' }, false],
  ])('with isTTY %p and the environment %p returns %p', (isTTY, environment, shown) => {
    expect(showsColour({ ...(isTTY !== undefined && { isTTY }) }, environment)).toBe(shown);
  });
});

describe('coloursOf', () => {
  it('returns text unchanged if the stream is not a terminal', () => {
    const { red, bold, dim, green, yellow } = coloursOf({ isTTY: false });
    for (const paint of [red, bold, dim, green, yellow]) expect(paint('x')).toBe('x');
  });
});
