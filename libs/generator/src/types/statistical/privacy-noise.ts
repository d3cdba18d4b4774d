import { distributions, math, type Sampler } from '@understudy/random';
import { withFaultPath } from '../../definition/errors.js';
import type { Parameters } from '../../registry/parameters.js';
import type { ParamsManifest } from '../../registry/params-manifest.js';

export const DIFFERENTIAL_PRIVACY: ParamsManifest = {
  enabled: { type: 'boolean', default: false },
  epsilon: { type: 'number', default: 1 },
  sensitivity: { type: 'number', default: 1, minimum: 0 },
  mechanism: { type: 'string', default: 'laplace', values: ['laplace', 'gaussian'] },
};

const SMALLEST_EPSILON = 1e-6;
/** The probability with which the Gaussian mechanism may miss epsilon. */
const DELTA = 1e-5;

/**
 * Noise of the size that a mechanism of differential privacy adds to one answer: Laplace of scale
 * sensitivity / epsilon, or normal of standard deviation sensitivity √(2 ln(1.25 / delta)) / epsilon with
 * delta = 10^-5 (Dwork and Roth, "The algorithmic foundations of differential privacy", 2014, 3.3 and appendix A,
 * where the second is proven for epsilon below 1 alone; from 1 on it is the same formula without the proof).
 *
 * It is there so that values look as released ones do, and protects nobody by itself: the values it is added to come
 * from the definition's parameters and not from private rows, each cell spends epsilon anew, who knows the seed can
 * take the noise off, and the low bits of floating-point noise tell the value (Mironov, "On significance of the least
 * significant bits for differential privacy", 2012), which rounding to 6 decimals makes harder and does not prevent.
 *
 * @returns undefined where it is off
 * @throws ParameterFault when the noise would overflow
 */
export function buildNoise(parameters: Parameters): Sampler | undefined {
  if (!parameters.boolean('enabled')) return undefined;
  const scale = parameters.number('sensitivity') / Math.max(SMALLEST_EPSILON, parameters.number('epsilon'));
  return withFaultPath(parameters.at('sensitivity'), () =>
    parameters.string('mechanism') === 'gaussian'
      ? distributions.normal(0, scale * Math.sqrt(2 * math.log(1.25 / DELTA)))
      : distributions.laplace(scale),
  );
}
