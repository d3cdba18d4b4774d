import type { CountedDraw, Draw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import type { Parameters } from '../../registry/parameters.js';
import { evenVariety, type Variety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

export const digitsType = defineGenerator({
  name: svcName('digits'),
  description:
    'A number with at most the given number of digits. Numbers above 2^53 are bigints, so that ' +
    'every digit is exact.',
  params: {
    digits: {
      type: 'integer',
      default: 1,
      description: 'The number of digits, clamped to the range from 1 to 18.',
    },
    strict: { type: 'boolean', default: false, description: 'If true, the first digit is not 0.' },
    leading_zero: {
      type: 'boolean',
      default: false,
      description: 'If true, the result is a string, padded with zeros to the number of digits.',
    },
  },
  output: 'any',
  examples: [
    svcExample('digits', { digits: 6, leading_zero: true }),
    svcExample('digits', { digits: 18 }),
    svcExample('digits'),
  ],
  build: buildDigits,
});

function buildDigits(parameters: Parameters): CountedDraw {
  const digits = Math.min(18, Math.max(1, parameters.integer('digits')));
  const strict = parameters.boolean('strict');
  const padded = parameters.boolean('leading_zero');
  const lowDigits = Math.min(digits, 9);
  const lowSpan = POWERS_OF_TEN[lowDigits] ?? 1;
  const highSpan = POWERS_OF_TEN[digits - lowDigits] ?? 1;
  // With `strict`, the first digit is not 0. It belongs to the high part, or to the low part if there is no
  // high part.
  const lowMin = strict && highSpan === 1 ? lowSpan / 10 : 0;
  const highMin = strict && highSpan > 1 ? highSpan / 10 : 0;
  const write = (high: number, low: number): unknown => {
    if (padded) {
      const text = highSpan === 1 ? '' : String(high).padStart(digits - lowDigits, '0');
      return text + String(low).padStart(lowDigits, '0');
    }
    const value = high * lowSpan + low;
    return Number.isSafeInteger(value) ? value : BigInt(high) * BigInt(lowSpan) + BigInt(low);
  };
  const draw: Draw = (random) => {
    const high = highMin + random.below(highSpan - highMin);
    return write(high, lowMin + random.below(lowSpan - lowMin));
  };
  const count = (highSpan - highMin) * (lowSpan - lowMin);
  const variety = (): Variety => evenVariety(count);
  if (count > LARGEST_COUNT) return { draw, variety };
  const at = (number: number): unknown =>
    write(highMin + Math.floor(number / (lowSpan - lowMin)), lowMin + (number % (lowSpan - lowMin)));
  const areSafe = highSpan * lowSpan - 1 <= Number.MAX_SAFE_INTEGER;
  const from = areSafe && !padded ? { from: highMin * lowSpan + lowMin } : {};
  return { draw, variety, traits: { numbered: { count, at, ...from } } };
}

/** All whole numbers up to this one are exact in a double. */
const LARGEST_COUNT = 9007199254740992;

const POWERS_OF_TEN: readonly number[] = Array.from({ length: 10 }, (_, i) => Number(`1e${i}`));
