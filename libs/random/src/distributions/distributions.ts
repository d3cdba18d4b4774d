import { beta } from './beta.js';
import { exponential, laplace } from './exponential.js';
import { gamma } from './gamma.js';
import { lognormal } from './lognormal.js';
import { normal } from './normal.js';
import { poisson } from './poisson.js';
import { uniform } from './uniform.js';

/** Samplers by exact methods over the library's own functions: the same bits on every machine. */
export const distributions = Object.freeze({
  beta,
  exponential,
  gamma,
  laplace,
  lognormal,
  normal,
  poisson,
  uniform,
});
