import { distributions, LARGEST_POISSON_MEAN, type Sampler } from '@understudy/random';
import { withFaultPath } from '../../definition/errors.js';
import type { JsonObject } from '../../definition/json-value.js';
import type { ParamDeclaration, ParamsManifest } from '../../registry/params-manifest.js';
import { Parameters } from '../../registry/parameters.js';
import { evenGrid } from '../../values/even-grid.js';
import { DECIMALS } from './value-window.js';

export interface Distribution {
  readonly draw: Sampler;
  /** The bounds of the values, if the distribution's parameters state them. */
  readonly support?: readonly [min: number, max: number];
}

interface NamedDistribution {
  readonly params: ParamsManifest;
  /** The parameters that must be above 0. */
  readonly positive: readonly string[];
  readonly build: (parameters: Parameters) => Distribution;
}

const number = (value: number, more?: Partial<ParamDeclaration>): ParamDeclaration => ({
  type: 'number',
  default: value,
  ...more,
});

const NAMED: ReadonlyMap<string, NamedDistribution> = new Map(
  Object.entries<NamedDistribution>({
    normal: {
      params: { mean: number(0), stddev: number(1, { minimum: 0 }) },
      positive: [],
      build: (p) => ({ draw: distributions.normal(p.number('mean'), p.number('stddev')) }),
    },
    lognormal: {
      params: { mu: number(0), sigma: number(1, { minimum: 0 }) },
      positive: [],
      build: (p) => ({ draw: distributions.lognormal(p.number('mu'), p.number('sigma')) }),
    },
    exponential: {
      params: { lambda: number(1) },
      positive: ['lambda'],
      build: (p) => ({ draw: distributions.exponential(p.number('lambda')) }),
    },
    uniform: { params: { min: number(0), max: number(1) }, positive: [], build: buildUniform },
    poisson: {
      params: { lambda: number(1, { maximum: LARGEST_POISSON_MEAN }) },
      positive: ['lambda'],
      build: (p) => ({ draw: distributions.poisson(p.number('lambda')) }),
    },
    beta: {
      params: { alpha: number(1), beta: number(1) },
      positive: ['alpha', 'beta'],
      build: (p) => ({ draw: distributions.beta(p.number('alpha'), p.number('beta')) }),
    },
    gamma: {
      params: { shape: number(1), scale: number(1) },
      positive: ['shape', 'scale'],
      build: (p) => ({ draw: distributions.gamma(p.number('shape'), p.number('scale')) }),
    },
  }),
);

export const DISTRIBUTION_NAMES: readonly string[] = [...NAMED.keys()];

/** @throws ParameterFault, also if the parameters are so large that values would overflow */
export function buildDistribution(name: string, params: JsonObject, path: string): Distribution {
  const named = NAMED.get(name);
  if (named === undefined) throw new RangeError('expected a name that the manifest accepts');
  const parameters = new Parameters(params, named.params, path);
  for (const key of named.positive) {
    const value = parameters.number(key);
    if (!(value > 0)) throw parameters.fault(key, `must be above 0, got ${value}`);
  }
  return withFaultPath(path, () => named.build(parameters));
}

function buildUniform(parameters: Parameters): Distribution {
  const min = parameters.number('min');
  const max = parameters.number('max');
  if (min > max) throw parameters.fault('min', `min ${min} is greater than max ${max}`);
  // A range without a number of 6 decimals only yields its bounds, so its draw need not be even.
  const { draw } = evenGrid(min, max, DECIMALS) ?? { draw: distributions.uniform(min, max) };
  return { draw, support: [min, max] };
}
