import { defineGenerator } from '../../registry/define-generator.js';
import { Parameters } from '../../registry/parameters.js';
import { buildDistribution, DISTRIBUTION_NAMES } from './distribution.js';
import { MODE, buildWindow, WINDOW_CONSTRAINTS } from './value-window.js';
import { buildNoise, DIFFERENTIAL_PRIVACY } from './privacy-noise.js';

const DEFAULT_DISTRIBUTION = 'normal';
const NOISE_STREAM = 'noise';

/** value → window → noise → clamp to the window → 6 decimals. The noise is drawn from a stream of its own. */
export const continuousMode = defineGenerator({
  name: '@svc/core:statistical',
  description: 'A number of a named distribution, rounded to 6 decimals.',
  params: {
    ...MODE,
    distribution: {
      type: 'string',
      values: DISTRIBUTION_NAMES,
      description: `Of mode continuous: the distribution to sample; \`${DEFAULT_DISTRIBUTION}\` when absent.`,
    },
    params: {
      type: 'object',
      description:
        "Of mode continuous: the distribution's own. normal: mean (0), stddev (1) · lognormal: mu (0), sigma (1) · exponential: lambda (1) · uniform: min (0), max (1) · poisson: lambda (1) · beta: alpha (1), beta (1) · gamma: shape (1), scale (1).",
    },
    differential_privacy: {
      type: 'object',
      description:
        'Of mode continuous: noise on each value: enabled (false), epsilon (1, at least 1e-6), sensitivity (1), mechanism (`laplace` or `gaussian`). Added to the value that the window chose, clamped to the window again, then rounded. Makes values look as a private release does; it is no guarantee of privacy.',
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
