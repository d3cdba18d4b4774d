import { defineGenerator } from '../../registry/define-generator.js';
import { Parameters } from '../../registry/parameters.js';
import { buildDistribution, DISTRIBUTION_NAMES } from './distribution.js';
import { MODE, buildWindow, WINDOW_CONSTRAINTS } from './value-window.js';
import { buildNoise, DIFFERENTIAL_PRIVACY } from './privacy-noise.js';

const DEFAULT_DISTRIBUTION = 'normal';
const NOISE_STREAM = 'noise';

/**
 * Draws a value within the window (min and max), adds noise, clamps to the window, and rounds to 6 decimals.
 * The noise has a separate stream.
 */
export const continuousMode = defineGenerator({
  name: '@svc/core:statistical',
  description: 'A number of the given distribution, rounded to 6 decimals.',
  params: {
    ...MODE,
    distribution: {
      type: 'string',
      values: DISTRIBUTION_NAMES,
      description: `In mode continuous: the distribution of the values. The default is \`${DEFAULT_DISTRIBUTION}\`.`,
    },
    params: {
      type: 'object',
      description:
        'In mode continuous: the parameters of the distribution, with their defaults in brackets. ' +
        'normal: mean (0), stddev (1). lognormal: mu (0), sigma (1). exponential: lambda (1). ' +
        'uniform: min (0), max (1). poisson: lambda (1). beta: alpha (1), beta (1). gamma: shape (1), ' +
        'scale (1).',
    },
    differential_privacy: {
      type: 'object',
      description:
        'In mode continuous: noise on each value. Keys and defaults: enabled (false), epsilon (1, at ' +
        'least 1e-6), sensitivity (1), mechanism (`laplace`, or `gaussian`). The noise is added to a ' +
        'value within min and max. The sum is clamped to min and max, and rounded. Values then look ' +
        'like a private release, but the noise guarantees no privacy.',
    },
  },
  constraints: WINDOW_CONSTRAINTS,
  output: 'number',
  examples: [
    {
      type: 'statistical',
      distribution: 'lognormal',
      params: { mu: 3, sigma: 0.5 },
      constraints: { max: 100 },
    },
    { type: 'statistical', distribution: 'poisson', params: { lambda: 4 } },
    {
      type: 'statistical',
      params: { mean: 50, stddev: 10 },
      differential_privacy: { enabled: true, epsilon: 0.5 },
      constraints: { min: 0, max: 100 },
    },
    { type: 'statistical' },
  ],
  build(parameters, constraints) {
    const given = parameters.object('params') ?? {};
    const { draw, support } = buildDistribution(
      parameters.has('distribution') ? parameters.string('distribution') : DEFAULT_DISTRIBUTION,
      given,
      parameters.at('params'),
    );
    const window = buildWindow(constraints);
    const noise = buildNoise(
      new Parameters(
        parameters.object('differential_privacy') ?? {},
        DIFFERENTIAL_PRIVACY,
        parameters.at('differential_privacy'),
      ),
    );
    if (noise === undefined) {
      const round = window.rounderWithin(support);
      return (random) => round(window.resample(draw, random));
    }
    const round = window.rounderWithin();
    return {
      streams: [NOISE_STREAM],
      draw: (random, _, stream) => round(window.resample(draw, random) + noise(stream(0))),
    };
  },
});
