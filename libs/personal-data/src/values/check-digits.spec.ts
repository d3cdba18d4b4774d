import { isCardNumber, isIban } from './bank.js';
import { NATIONAL_IDS } from './national-ids.js';

const VALID: readonly (readonly [string, (text: string) => boolean, readonly string[]])[] = [
  [
    'payment cards',
    isCardNumber,
    ['4111 1111 1111 1111', '5555555555554444', '378282246310005', '4000056655665556'],
  ],
  [
    'IBANs',
    isIban,
    [
      'DE89 3704 0044 0532 0130 00',
      'GB29NWBK60161331926819',
      'FR1420041010050500013M02606',
      'NL91ABNA0417164300',
    ],
  ],
  ['Steuer-IDs', test('DE'), ['86095742719', '47036892816', '65929970489']],
  ['NIRs', test('FR'), ['255081416802538', '2 55 08 14 168 025 38']],
  ['DNIs', test('ES'), ['12345678Z', 'X1234567L']],
  ['BSNs', test('NL'), ['111222333', '123456782']],
  ['PESELs', test('PL'), ['44051401359', '02070803628']],
  ['personnummer', test('SE'), ['811218-9876', '19670919-9530']],
  ['CPFs', test('BR'), ['529.982.247-25', '11144477735']],
];

function test(country: string): (text: string) => boolean {
  const id = NATIONAL_IDS.find((one) => one.country === country);
  return (text) => id?.test(text) === true;
}

describe('tests of check digits', () => {
  it.each(VALID)('accept valid %s', (_, isValid, texts) => {
    expect(texts.filter((text) => !isValid(text))).toEqual([]);
  });

  it.each(VALID)('reject nearly all %s with one wrong digit', (_, isValid, texts) => {
    const passing = texts.flatMap((text) =>
      [...text].flatMap((sign, i) =>
        /\d/.test(sign)
          ? [...'0123456789']
              .filter((digit) => digit !== sign)
              .map((digit) => text.slice(0, i) + digit + text.slice(i + 1))
          : [],
      ),
    );
    // Some changed numbers are valid, because a CPF or BSN has the same check digit for several remainders.
    expect(passing.filter(isValid).length / passing.length).toBeLessThan(0.02);
  });
});
