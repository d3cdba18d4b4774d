import { type ProposalFacts, integer, type RuleDefinition } from './rule-definitions.js';

/**
 * With fewer values than this, a bound with one significant digit could reveal a value. Each bound is then 0,
 * a power of ten or a negative power of ten.
 */
const ENOUGH = 20;
const DEFAULT = { low: 1_000, high: 100_000 };

/**
 * Returns a rule that generates numbers in a range. The range spans the values except for the lowest and highest 5 %.
 * Its bounds are rounded outwards to one significant digit, so they reveal no value of a row.
 */
export function rangeRule({ values, type }: Pick<ProposalFacts, 'values' | 'type'>): RuleDefinition {
  const numbers = values
    .map(Number)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const { low, high } = boundsOf(numbers);
  if (INTEGERS.has(type)) return integer(Math.floor(low), Math.ceil(Math.min(high, LARGEST[type] ?? high)));
  const decimals = Math.max(0, ...values.map((value) => (/\.(\d*[1-9])0*$/.exec(value)?.[1] ?? '').length));
  // With at least as many decimals as the upper bound, the range contains at least one number.
  const precision = Math.max(Math.min(2, decimals), decimalsOf(high));
  const params =
    precision > MAX_PRECISION
      ? { min: Math.floor(low), max: Math.ceil(high), precision: MAX_PRECISION }
      : { min: low, max: high, precision };
  return { type: 'svc', algorithm: 'float_between', params };
}

const INTEGERS: ReadonlySet<string> = new Set(['int2', 'int4', 'int8']);
const LARGEST: Readonly<Record<string, number>> = { int2: 32_767, int4: 2_147_483_647 };

const MAX_PRECISION = 15;

/** Returns the number of decimals of a value, at most `MAX_PRECISION + 1`. */
function decimalsOf(value: number): number {
  let decimals = 0;
  while (decimals <= MAX_PRECISION && Number(value.toFixed(decimals)) !== value) decimals += 1;
  return decimals;
}

function boundsOf(sorted: readonly number[]): { readonly low: number; readonly high: number } {
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  if (sorted.length === 0) return DEFAULT;
  const [low, high] = [at(0.05), at(0.95)];
  const isFew = sorted.length < ENOUGH;
  const down = isFew ? (low < 0 ? -10 * powerOfTen(low) : low === 0 ? 0 : powerOfTen(low)) : away(low, -1);
  const up = isFew ? (high > 0 ? 10 * powerOfTen(high) : 0) : away(high, 1);
  return down < up ? { low: down, high: up } : { low: down, high: down + 1 };
}

/** Rounds a value to one significant digit, up or down. */
function away(value: number, direction: 1 | -1): number {
  if (value === 0) return 0;
  const unit = powerOfTen(value);
  const digits = value / unit;
  const rounded = direction === 1 ? Math.ceil(digits) : Math.floor(digits);
  return Number((rounded * unit).toPrecision(2));
}

/** Returns the largest power of ten that is not above the absolute value; 1 for 0. */
function powerOfTen(value: number): number {
  return value === 0 ? 1 : Number(`1e${value.toExponential().split('e')[1] ?? '0'}`);
}
