import { compileSchema } from '@understudy/generator';
import { isCardNumber, isIban } from '../values/bank.js';
import { NATIONAL_IDS } from '../values/national-ids.js';
import { cardRule, IBAN_DIGITS, ibanRule, NATIONAL_ID_RULES } from './numbered-rules.js';
import type { RuleDefinition } from './rule-definitions.js';
import { proposeRules } from './propose-rules.js';
import { shapesOf } from './shapes.js';

function valuesOf({ generator }: RuleDefinition, count = 300): readonly string[] {
  const plan = compileSchema(
    { generators: { v: generator }, output: ['v'] },
    { models: () => undefined, nowMs: 0 },
  );
  const cursor = plan.open(7);
  return Array.from({ length: count }, (_, i) => {
    cursor.moveTo(i);
    return String(cursor.values[0]);
  });
}

describe('rules for numbers with check digits', () => {
  it.each([false, true])('generate valid and distinct card numbers (grouped: %p)', (grouped) => {
    const values = valuesOf(cardRule(grouped));
    expect(values.filter((value) => !isCardNumber(value))).toEqual([]);
    expect(new Set(values).size).toBe(values.length);
  });

  it.each(Object.keys(IBAN_DIGITS))('generate valid IBANs for %s', (country) => {
    for (const grouped of [false, true]) {
      const values = valuesOf(ibanRule(country, grouped), 200);
      expect(values.filter((value) => !isIban(value) || !value.startsWith(country))).toEqual([]);
    }
  });

  it.each(['ES', 'FR', 'PL', 'BR', 'SE', 'IT'])('generate valid national numbers for %s', (country) => {
    const id = NATIONAL_IDS.find((one) => one.country === country);
    const values = valuesOf(NATIONAL_ID_RULES[country] ?? {});
    expect(values.filter((value) => id?.test(value) !== true)).toEqual([]);
  });

  it.each(['US', 'GB'])('generate only unassigned national numbers for %s', (country) => {
    const id = NATIONAL_IDS.find((one) => one.country === country);
    expect(valuesOf(NATIONAL_ID_RULES[country] ?? {}).filter((value) => id?.test(value))).toEqual([]);
  });
});

it('takes digits of any script as digits of a shape', () => {
  const values = ['１０１１５', '１０１１7'];
  expect(shapesOf(values)).toEqual([{ text: '99999', share: 1 }]);
});

it('proposes postcodes without letters as well, because a constraint may accept only one country', () => {
  const rulesOf = (values: readonly string[]) =>
    proposeRules({
      ...{ detection: { kind: 'postcode' }, type: 'text', group: 'text', values, locale: 'de_DE', rows: 10 },
      ...{ isArray: false, isNullable: false, isUnique: false },
    });
  expect(rulesOf(['D-10115', '10117'])[1]).toEqual(rulesOf(['10117'])[0]);
});
