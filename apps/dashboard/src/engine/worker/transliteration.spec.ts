import anyAscii, { withTransliteration } from './transliteration.js';

describe('withTransliteration', () => {
  it('loads the tables when a step first needs them, and runs the step again', async () => {
    let runs = 0;
    const step = (): string => {
      runs += 1;
      return anyAscii('Щукина');
    };
    expect(await withTransliteration(() => 'plain')).toBe('plain');
    expect(() => anyAscii('Щ')).toThrow();
    expect(await withTransliteration(step)).toBe('Shchukina');
    expect(runs).toBe(2);
    expect(await withTransliteration(step)).toBe('Shchukina');
    expect(runs).toBe(3);
  });

  it('does not repeat a step that fails for another reason', async () => {
    const step = jest.fn(() => {
      throw new RangeError('other');
    });
    await expect(withTransliteration(step)).rejects.toThrow('other');
    expect(step).toHaveBeenCalledTimes(1);
  });
});
