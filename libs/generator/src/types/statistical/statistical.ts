import { didYouMean } from '@understudy/expression';
import { joinPath, describe, own } from '../../definition/json-value.js';
import type { Node } from '../../values/node.js';
import type { GeneratorSite, GeneratorType } from '../../registry/generator-type.js';
import { CATEGORICAL_PARAMS, compileCategorical } from './categorical.js';
import { continuousMode } from './continuous.js';
import { MODE } from './value-window.js';
import { multivariateMode } from './multivariate.js';

const DEFAULT_MODE = 'continuous';
const MODES: ReadonlyMap<string, (site: GeneratorSite) => Node | undefined> = new Map([
  ['categorical', compileCategorical],
  ['continuous', continuousMode.compile],
  ['multivariate', multivariateMode.compile],
]);

/** The generator `statistical`. Each mode accepts only its own params. */
export const statisticalType: GeneratorType = {
  name: '@svc/core:statistical',
  version: '0.1.0',
  description: 'Picks a value by weight, draws a number from a distribution, or draws correlated numbers.',
  params: { ...MODE, ...CATEGORICAL_PARAMS, ...continuousMode.params, ...multivariateMode.params },
  ...(continuousMode.constraints && { constraints: continuousMode.constraints }),
  output: 'any',
  examples: [
    {
      type: 'statistical',
      mode: 'categorical',
      values: [
        { value: 'A', weight: 4 },
        { value: 'B', weight: 1 },
      ],
    },
    ...continuousMode.examples,
    ...multivariateMode.examples,
  ],
  compile: compileMode,
};

function compileMode(site: GeneratorSite): Node | undefined {
  const mode = own(site.params, 'mode') ?? DEFAULT_MODE;
  const path = joinPath(site.paths.params, 'mode');
  if (typeof mode !== 'string') {
    return site.context.fail(path, `must be a string, got ${describe(mode)}`);
  }
  const compile = MODES.get(mode);
  return compile === undefined ? site.context.fail(path, refusal(mode)) : compile(site);
}

function refusal(mode: string): string {
  if (mode === 'algebraic') {
    return (
      'algebraic is not a mode; use a composition to compute values: ' +
      '{"let":{"x":{"computed":"<expression>"}},"output":"{{x}}"}'
    );
  }
  if (mode.includes('{{')) return 'must not be a template, because it determines which other params exist';
  const known = [...MODES.keys()];
  return `must be one of ${known.join(', ')}${didYouMean(mode, known)}`;
}
