import type { RandomStream, Sampler } from '@understudy/random';
import type { Parameters } from '../../registry/parameters.js';
import type { ParamsManifest } from '../../registry/params-manifest.js';
import { rounder } from '../../values/round.js';

/** The constraints `min` and `max` of a continuous value. */
export interface ValueWindow {
  /**
   * Draws until the value is inside of the window, with at most 50 retries. If the last value is outside too,
   * returns the nearer bound.
   */
  resample(draw: Sampler, random: RandomStream): number;
  /**
   * Returns a function that rounds to 6 decimals. The result is inside of the window, and also inside of
   * `support` if window and support overlap. If there is no number with 6 decimals in that range, the result
   * is the nearer bound. Values beyond the largest double become the largest double.
   */
  rounderWithin(support?: readonly [min: number, max: number]): (value: number) => number;
}

export const WINDOW_CONSTRAINTS: ParamsManifest = {
  min: {
    type: 'number',
    description:
      'In mode continuous: the smallest value. Smaller values are drawn again up to 50 times, then ' +
      'replaced by this bound.',
  },
  max: {
    type: 'number',
    description:
      'In mode continuous: the largest value. Larger values are drawn again up to 50 times, then ' +
      'replaced by this bound.',
  },
};

/** The decimals of every value of `statistical`. */
export const DECIMALS = 6;
const RESAMPLES = 50;
const STEPS = 1e6;

/** @throws ParameterFault */
export function buildWindow(constraints: Parameters): ValueWindow {
  const min = constraints.has('min') ? constraints.number('min') : -Number.MAX_VALUE;
  const max = constraints.has('max') ? constraints.number('max') : Number.MAX_VALUE;
  if (min > max) throw constraints.fault('min', `min ${min} is greater than max ${max}`);
  return {
    resample(draw, random) {
      let value = draw(random);
      for (let i = 0; i < RESAMPLES && !(value >= min && value <= max); i += 1) value = draw(random);
      return clamp(value, min, max);
    },
    rounderWithin([from, to] = [min, max]) {
      const low = Math.max(min, from);
      const high = Math.min(max, to);
      return low <= high ? roundWithin(low, high) : roundWithin(min, max);
    },
  };
}

function roundWithin(min: number, max: number): (value: number) => number {
  const round = rounder(DECIMALS);
  const lowest = round(min) < min ? (Math.round(min * STEPS) + 1) / STEPS : round(min);
  const highest = round(max) > max ? (Math.round(max * STEPS) - 1) / STEPS : round(max);
  const [low, high] = lowest <= highest ? [lowest, highest] : [min, max];
  return (value) => clamp(round(value), low, high) + 0;
}

function clamp(value: number, min: number, max: number): number {
  return value < min ? min : value > max ? max : value;
}

/** The param that all modes of `statistical` have. */
export const MODE: ParamsManifest = {
  mode: {
    type: 'string',
    default: 'continuous',
    description: '`continuous`, `categorical` or `multivariate`. It must not be a template.',
  },
};
