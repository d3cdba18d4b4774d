import { isHouseNumber } from '../values/contact.js';
import { shareOf } from './name-rules.js';
import { type ProposalFacts, composed, digits, integer, type RuleDefinition } from './rule-definitions.js';
import { ruleOfShapes, shapesOf, varietyOf } from './shapes.js';

export function streetRules({ values, locale, group }: ProposalFacts): readonly RuleDefinition[] {
  if (group === 'number') return [integer(1, 200)];
  if (values.length > 0 && shareOf(values, isHouseNumber) > 0.6)
    return [composed({ n: integer(1, 200) }, '{{n}}')];
  const withNumbers = shareOf(values, (value) => /\d/.test(value));
  const source = values.length > 0 && withNumbers < 0.2 ? 'streets' : 'street_addresses';
  return [{ generator: `${locale}/${source}` }];
}

export function postcodeRules({
  values,
  group,
  locale,
  maxLength,
}: ProposalFacts): readonly RuleDefinition[] {
  if (group === 'number') {
    const size = Math.max(3, ...values.map((value) => value.replace(/\D/g, '').length));
    return [integer(10 ** (size - 1), 10 ** size - 1)];
  }
  const own = shapesOf(values);
  const known = own.length > 0 ? own : [{ text: POSTCODES[locale] ?? '99999', share: 1 }];
  const fitting = known.filter(({ text }) => text.length <= maxLength);
  // A constraint may accept only some letters, as in `D-10115`.
  const bare = fitting.filter(({ text }) => !text.includes('A'));
  const rules = [fitting, ...(bare.length < fitting.length ? [bare] : [])].filter(({ length }) => length > 0);
  return rules.length > 0
    ? rules.map(ruleOfShapes)
    : [composed({ n: digits(Math.min(5, maxLength)) }, '{{n}}')];
}

const POSTCODES: Readonly<Record<string, string>> = {
  en_GB: 'AA9 9AA',
  nl_NL: '9999 AA',
  pl_PL: '99-999',
  pt_BR: '99999-999',
  sv_SE: '999 99',
  cs_CZ: '999 99',
  ja_JP: '999-9999',
  ru_RU: '999999',
};

/** Returns rules that generate coordinates in the area of the sampled values, rounded outwards to whole degrees. */
export function coordinateRules({ values, group, type }: ProposalFacts): readonly RuleDefinition[] {
  if (group === 'number') return [degrees(values.map(Number))];
  const pairs = values.flatMap((value) => {
    const numbers = value.match(/-?\d+(?:\.\d+)?/g) ?? [];
    return numbers.length === 2 ? [numbers.map(Number)] : [];
  });
  const isPair =
    type === 'point' || type === 'geometry' || type === 'geography' || pairs.length > values.length / 2;
  const steps = { x: degrees(pairs.map(([x]) => x ?? 0)), y: degrees(pairs.map(([, y]) => y ?? 0)) };
  if (type === 'geometry' || type === 'geography') {
    return [composed(steps, 'SRID=4326;POINT({{x}} {{y}})'), composed(steps, 'POINT({{x}} {{y}})')];
  }
  if (isPair) return [composed(steps, type === 'point' ? '({{x}},{{y}})' : '{{x}},{{y}}')];
  return [composed({ x: degrees(values.map(Number)) }, '{{x}}')];
}

function degrees(numbers: readonly number[]): RuleDefinition {
  const [min, max] = rangeOf(numbers);
  return { type: 'svc', algorithm: 'float_between', params: { min, max, precision: 6 } };
}

function rangeOf(numbers: readonly number[]): readonly [number, number] {
  const known = numbers.filter((number) => Number.isFinite(number) && Math.abs(number) <= 180);
  if (known.length < 3) return [-90, 90];
  return [Math.floor(Math.min(...known)), Math.ceil(Math.max(...known) + 1e-9)];
}

/**
 * Returns rules that generate phone numbers with the area code 555, which no region of North America has. For
 * int4, the numbers have seven digits and begin with 555. The last rule for a text column generates only
 * random digits.
 */
export function phoneRules({
  values,
  group,
  type,
  maxLength,
  isUnique,
  rows,
}: ProposalFacts): readonly RuleDefinition[] {
  if (group === 'number')
    return type === 'int4' || type === 'int2'
      ? [integer(5_550_000, 5_559_999)]
      : [integer(5_550_000_000, 5_559_999_999)];
  const forms = [
    composed({ a: digits(3), b: digits(4) }, '+1 555 {{a}} {{b}}'),
    composed({ a: digits(3), b: digits(4) }, '555-{{a}}-{{b}}'),
    composed({ n: digits(7) }, '+1555{{n}}'),
    composed({ n: digits(7) }, '555{{n}}'),
    composed({ n: digits(Math.min(9, maxLength)) }, '{{n}}'),
  ];
  const lengths = [15, 12, 12, 10, 1];
  const fitting = forms.filter((_, i) => (lengths[i] ?? 0) <= maxLength);
  const [shape] = shapesOf(values);
  const isOwn =
    shape !== undefined &&
    shape.share > 0.6 &&
    /^[9() .-]+$/.test(shape.text) &&
    shape.text.length <= maxLength;
  const own = isOwn ? fictional(shape.text) : undefined;
  const hasEnoughVariety =
    !isUnique || rows < 100_000 || varietyOf(shape === undefined ? [] : [shape]) > rows * 100;
  return own === undefined || !hasEnoughVariety ? fitting : [own, ...fitting];
}

/**
 * Returns a rule that generates phone numbers in a shape, with 555 as their first three digits.
 * @returns undefined if the shape does not have 10 to 12 digits
 */
function fictional(shape: string): RuleDefinition | undefined {
  const count = shape.split('9').length - 1;
  if (count < 10 || count > 12) return undefined;
  let at = 0;
  const pattern = shape.replace(/9/g, () => (at++ < 3 ? '5' : '9'));
  let from = 0;
  const body = pattern.replace(/9+/g, (run) => `{{substring(n, ${from}, ${(from += run.length)})}}`);
  return composed({ n: digits(count - 3) }, body);
}
