import { type Fold, foldOfLocale, foldText } from './fold-text.js';

describe('foldText', () => {
  it.each<[Fold, string, string]>([
    ['lowered', 'ΝΙΚΟΣ', 'νικοσ'],
    ['lowered', 'νικος', 'ΝΙΚΟΣ'],
    ['composed', 'e\u0301', 'é'],
    ['composed', 'a\u200db', 'ab'],
    ['caseless', 'Straße', 'STRASSE'],
    ['caseless', 'ＡＢ', 'ab'],
    ['caseless', 'カ', 'か'],
    ['letters', 'É-1', 'e1'],
    ['letters', 'Łódź', 'lodz'],
    ['letters', 'a007', 'A7'],
    ['letters', '\u0661', '1'],
  ])('with the fold %s, treats %j and %j as equal', (fold, a, b) => {
    expect(foldText(a, fold)).toBe(foldText(b, fold));
  });

  it.each<[Fold, string, string]>([
    ['lowered', 'é', 'e'],
    ['composed', 'a', 'A'],
    ['caseless', 'é', 'e'],
    ['caseless', 'a-1', 'a1'],
    ['letters', 'a1', 'a10'],
  ])('with the fold %s, treats %j and %j as different', (fold, a, b) => {
    expect(foldText(a, fold)).not.toBe(foldText(b, fold));
  });
});

describe('foldOfLocale', () => {
  it.each<[string, Fold]>([
    ['und-u-ks-level2', 'caseless'],
    ['de-u-ks-level1', 'letters'],
    ['und-u-ka-shifted-ks-level2', 'letters'],
    ['en-u-kn-ks-level2', 'letters'],
    ['und-u-ks-level3', 'composed'],
    ['de-u-co-phonebk', 'composed'],
    ['und', 'composed'],
    ['und@colStrength=secondary', 'letters'],
    ['', 'letters'],
  ])('reads %j as the fold %s', (locale, fold) => {
    expect(foldOfLocale(locale)).toBe(fold);
  });
});
