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
/** The probability with which the Gaussian mechanism may exceed epsilon. */
const DELTA = 1e-5;

/**
 * Returns a sampler of the noise that a mechanism of differential privacy adds to one result.
 *
 * The Laplace mechanism has the scale sensitivity / epsilon. The Gaussian mechanism has the standard
 * deviation sensitivity √(2 ln(1.25 / delta)) / epsilon with delta = 10^-5. Both are from Dwork and Roth,
 * "The algorithmic foundations of differential privacy", 2014, 3.3 and appendix A. The second formula is
 * proven only for epsilon below 1; from 1 on it is used without a proof.
 *
 * The noise only makes values look like a private release. It protects nobody:
 *
 * - The values come from the definition's parameters, not from private rows.
 * - Each cell spends epsilon again.
 * - Anyone who knows the seed can remove the noise.
 * - The low bits of floating-point noise reveal the value (Mironov, "On significance of the least significant
 *   bits for differential privacy", 2012). Rounding to 6 decimals makes that harder but does not prevent it.
 *
 * @returns undefined if the noise is not enabled
 * @throws ParameterFault if the noise would overflow
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
