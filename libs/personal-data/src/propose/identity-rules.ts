import { yearOf } from '../values/dates.js';
import { shareOf } from './name-rules.js';
import { cardRule, IBAN_DIGITS, ibanRule, NATIONAL_ID_RULES } from './numbered-rules.js';
import { type ProposalFacts, composed, digits, integer, type RuleDefinition } from './rule-definitions.js';
import { ruleOfShapes, shapesOf, varietyOf } from './shapes.js';

export function cardRules({ group, values, maxLength }: ProposalFacts): readonly RuleDefinition[] {
  if (group === 'number') return [integer(4_000_000_000_000_000, 4_000_009_999_999_999)];
  const isHidden = shareOf(values, (value) => /[xX*•]/.test(value)) > 0.5;
  if (isHidden && maxLength >= 16) return [composed({ n: digits(4) }, '************{{n}}')];
  const isGrouped = shareOf(values, (value) => /\d \d/.test(value)) > 0.5 && maxLength >= 19;
  return maxLength >= 16
    ? [cardRule(isGrouped)]
    : [composed({ n: digits(Math.min(12, maxLength)) }, '{{n}}')];
}

export function ibanRules({ values, group, maxLength, type }: ProposalFacts): readonly RuleDefinition[] {
  if (group === 'number')
    return [type === 'int4' ? integer(10_000_000, 99_999_999) : integer(1_000_000_000, 9_999_999_999)];
  const countries = values.flatMap((value) => /^([A-Z]{2})\d\d/.exec(value.toUpperCase())?.[1] ?? []);
  if (values.length > 0 && countries.length < values.length / 2) return accountRules(values, maxLength);
  const country = mostFrequent(countries.filter((code) => code in IBAN_DIGITS)) ?? 'DE';
  const isGrouped = shareOf(values, (value) => / /.test(value)) > 0.5;
  const length = ((IBAN_DIGITS[country] ?? 18) + 4) * (isGrouped ? 1.25 : 1);
  if (length <= maxLength) return [{ ...ibanRule(country, isGrouped), consistent: true }];
  return accountRules([], maxLength);
}

function accountRules(values: readonly string[], maxLength: number): readonly RuleDefinition[] {
  const shapes = shapesOf(values).filter(({ text }) => text.length <= maxLength);
  const count = Math.min(10, maxLength);
  return [
    {
      ...(shapes.length > 0 ? ruleOfShapes(shapes) : composed({ n: digits(count) }, '{{n}}')),
      consistent: true,
    },
  ];
}

export function nationalIdRules(facts: ProposalFacts): readonly RuleDefinition[] {
  const { detection, group, values, maxLength, isUnique, rows } = facts;
  if (group === 'number') {
    const size = Math.max(5, ...values.map((value) => value.replace(/\D/g, '').length));
    return [integer(10 ** (size - 1), 10 ** size - 1)];
  }
  const known = NATIONAL_ID_RULES[detection.country ?? ''];
  const shapes = shapesOf(values).filter(({ text }) => text.length <= maxLength);
  const hasEnoughVariety = !isUnique || (shapes.length > 0 && varietyOf(shapes) > rows * 20);
  const length = Math.min(9, maxLength);
  return [
    ...(known !== undefined && maxLength >= 16 ? [known] : []),
    ...(shapes.length > 0 && hasEnoughVariety ? [ruleOfShapes(shapes)] : []),
    composed({ n: digits(length) }, '{{n}}'),
  ].map((rule) => ({ ...rule, consistent: true }));
}

/** Returns a rule that generates dates in the decades of the sampled values, in their format. */
export function birthDateRules({ group, type, values, maxLength }: ProposalFacts): readonly RuleDefinition[] {
  const years = values.flatMap((value) => yearOf(value) ?? []);
  const first = years.length < 3 ? 1940 : Math.floor(Math.min(...years) / 10) * 10;
  const last = years.length < 3 ? 2007 : Math.floor(Math.max(...years) / 10) * 10 + 9;
  const params = { start: `${first}-01-01`, end: last > 2024 ? 'today' : `${last}-12-31` };
  if (group === 'number') {
    const isYear = years.length > 0 || values.length === 0;
    return [isYear ? integer(first, Math.min(last, 2025)) : integer(1, 12)];
  }
  const hasTime = shareOf(values, (value) => /\d{2}:\d{2}/.test(value) && !/ 00:00:00/.test(value)) > 0.1;
  if (hasTime && (type === 'timestamp' || type === 'timestamptz'))
    return [{ type: 'svc', algorithm: 'datetime_between', params }];
  const dates = { type: 'svc', algorithm: 'date_between', params };
  const form = FORMS.find(([test]) => shareOf(values, (value) => test.test(value)) > 0.5)?.[1];
  if (group === 'date' || form === undefined) return [dates];
  return maxLength >= form.length ? [{ ...dates, transform: `date_format(value, '${form}')` }] : [];
}

const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^\d{1,2}\.\d{1,2}\.\d{4}$/, 'DD.MM.YYYY'],
  [/^\d{1,2}\/(?:1[3-9]|2\d|3[01])\/\d{4}$/, 'MM/DD/YYYY'],
  [/^\d{1,2}\/\d{1,2}\/\d{4}$/, 'DD/MM/YYYY'],
  [/^\d{1,2}-\d{1,2}-\d{4}$/, 'DD-MM-YYYY'],
  [/^\d{8}$/, 'YYYYMMDD'],
  [/^\d{4}$/, 'YYYY'],
];

function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
