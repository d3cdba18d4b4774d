import type { RandomStream, Sampler } from '@understudy/random';
import type { Parameters } from '../../registry/parameters.js';
import type { ParamsManifest } from '../../registry/params-manifest.js';
import { rounder } from '../../values/round.js';

/** The constraints of a continuous value. */
export interface ValueWindow {
  /** Draws until the value lies inside, 50 times more at most; then the nearer bound stands for it. */
  resample(draw: Sampler, random: RandomStream): number;
  /**
   * Rounds to 6 decimals without leaving the window, and `support` where the two meet. A range too narrow for a number
   * of 6 decimals gives its nearer bound. Values past the largest double become that.
   */
  rounderWithin(support?: readonly [min: number, max: number]): (value: number) => number;
}

export const WINDOW_CONSTRAINTS: ParamsManifest = {
  min: {
    type: 'number',
    description: 'Of mode continuous: values below it are drawn again, up to 50 times, and then become it.',
  },
  max: { type: 'number', description: 'Of mode continuous: the same for values above it.' },
};

const RESAMPLES = 50;
const DECIMALS = 6;
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

/** What every mode takes. */
export const MODE: ParamsManifest = {
  mode: {
    type: 'string',
    default: 'continuous',
    description: '`continuous`, `categorical` or `multivariate`. Not a template.',
  },
};
