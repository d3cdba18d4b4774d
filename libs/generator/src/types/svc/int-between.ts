import type { Problem } from '../../definition/errors.js';
import { describe, joinPath } from '../../definition/json-value.js';
import type { Draw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import type { Parameters } from '../../registry/parameters.js';
import { consecutive, evenVariety, type Variety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

const LARGEST_SPAN = 9007199254740992;

export const intBetweenType = defineGenerator({
  name: svcName('int_between'),
  description: 'An integer from min to max, both included. All integers have the same probability.',
  params: {
    min: { type: 'integer', default: 0, description: 'The smallest value.' },
    max: { type: 'integer', default: 2147483647, description: 'The largest value.' },
    except: { type: 'array', description: 'The integers that are never drawn.' },
  },
  mistakes: fractionsInExcept,
  output: 'integer',
  examples: [
    svcExample('int_between', { min: 18, max: 90 }),
    svcExample('int_between', { min: 0, max: 50, except: [3, 4, 9] }),
    svcExample('int_between'),
  ],
  build(parameters) {
    const min = parameters.integer('min');
    const max = parameters.integer('max');
    if (min > max) throw parameters.fault('min', `min ${min} is greater than max ${max}`);
    // The difference of two safe integers is rounded from 2^53 on, but never to a number below 2^53.
    if (max - min >= LARGEST_SPAN) throw parameters.fault('min', 'the range contains more than 2^53 values');
    const span = max - min + 1; // both bounds included
    const excluded = readExcept(parameters, min, max);
    const variety = (): Variety => evenVariety(span - excluded.length);
    if (excluded.length === 0) {
      const all: Draw = (random) => min + random.below(span);
      return { draw: all, variety, traits: { numbered: consecutive(min, span) } };
    }
    if (excluded.length >= span)
      throw parameters.fault('except', 'excludes the whole range; leave at least one value from min to max');
    // Numbers the values that are not excluded, so that one draw is enough. before[i] is the number of these
    // values below the i-th excluded value.
    const before = Float64Array.from(excluded, (value, i) => value - min - i);
    const at = (position: number): number => {
      let low = 0;
      let high = before.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((before[middle] ?? 0) <= position) low = middle + 1;
        else high = middle;
      }
      return min + position + low;
    };
    const count = span - excluded.length;
    const draw: Draw = (random) => at(random.below(count));
    return { draw, variety, traits: { numbered: { count, at } } };
  },
});

/** Refuses numbers in `except` that are no integers, because they exclude nothing. */
function fractionsInExcept(parameters: Parameters): readonly Problem[] {
  return (parameters.array('except') ?? []).flatMap((item, i) =>
    typeof item !== 'number' || Number.isInteger(item)
      ? []
      : [{ path: joinPath(parameters.at('except'), i), message: `must be an integer, got ${item}` }],
  );
}

/** Returns the distinct integers of `except` within the range, ascending. */
function readExcept(parameters: Parameters, min: number, max: number): number[] {
  const numbers = (parameters.array('except') ?? []).map((item) => {
    if (typeof item !== 'number' || !Number.isFinite(item)) {
      throw parameters.fault('except', `must contain only integers, got ${describe(item)}`);
    }
    return item;
  });
  const inRange = numbers.filter((item) => Number.isInteger(item) && item >= min && item <= max);
  return [...new Set(inRange)].sort((a, b) => a - b);
}
