import type { CountedDraw, Draw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import type { Parameters } from '../../registry/parameters.js';
import { evenVariety, type Variety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

export const digitsType = defineGenerator({
  name: svcName('digits'),
  description: 'A number of up to so many digits. Above 2^53 it is a bigint: every digit is exact.',
  params: {
    digits: { type: 'integer', default: 1, description: 'Number of digits; clamped to 1 to 18.' },
    strict: { type: 'boolean', default: false, description: 'The first digit is not 0.' },
    leading_zero: {
      type: 'boolean',
      default: false,
      description: 'The result is a string, padded with zeros to the number of digits.',
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
  // strict: the first digit is not 0. It is the first of the high part, or of the low part when that is all.
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
  const from = padded ? {} : { from: highMin * lowSpan + lowMin };
  return { draw, variety, traits: { numbered: { count, at, ...from } } };
}

/** Numbers up to here are exact. */
const LARGEST_COUNT = 9007199254740992;

const POWERS_OF_TEN: readonly number[] = Array.from({ length: 10 }, (_, i) => Number(`1e${i}`));
