import { distributions } from '@understudy/random';
import { withFaultPath } from '../../definition/errors.js';
import { defineGenerator } from '../../registry/define-generator.js';
import { evenGrid } from '../../values/even-grid.js';
import { rounder } from '../../values/round.js';
import { evenVariety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

export const floatBetweenType = defineGenerator({
  name: svcName('float_between'),
  description:
    'A number from min to max with the given number of decimals. Both bounds are included. All such ' +
    'numbers have the same probability.',
  params: {
    min: { type: 'number', default: 0, description: 'The smallest value.' },
    max: { type: 'number', default: 1, description: 'The largest value.' },
    precision: {
      type: 'integer',
      default: 2,
      minimum: 0,
      maximum: 15,
      description: 'The number of decimals.',
    },
  },
  output: 'number',
  examples: [svcExample('float_between', { min: 0, max: 1000 }), svcExample('float_between')],
  build(parameters) {
    const min = parameters.number('min');
    const max = parameters.number('max');
    if (min > max) throw parameters.fault('min', `min ${min} is greater than max ${max}`);
    const precision = parameters.integer('precision');
    const grid = evenGrid(min, max, precision);
    if (grid === undefined) {
      const why =
        `no number with ${precision} decimals is between min ${min} and max ${max}; use more decimals ` +
        'or a wider range';
      throw parameters.fault('precision', why);
    }
    const { count, at } = grid;
    return { draw: grid.draw, variety: () => evenVariety(count), traits: { numbered: { count, at } } };
  },
});

export const gaussianType = defineGenerator({
  name: svcName('gaussian'),
  description: 'A normally distributed number, rounded to 6 decimals.',
  params: {
    mean: { type: 'number', default: 0, description: 'The mean.' },
    stddev: { type: 'number', default: 1, minimum: 0, description: 'The standard deviation.' },
  },
  output: 'number',
  examples: [svcExample('gaussian', { mean: 170, stddev: 8 }), svcExample('gaussian')],
  build(parameters) {
    const draw = withFaultPath(parameters.at('stddev'), () =>
      distributions.normal(parameters.number('mean'), parameters.number('stddev')),
    );
    const round = rounder(6);
    return (random) => round(draw(random));
  },
});

export const exponentialType = defineGenerator({
  name: svcName('exponential'),
  description: 'An exponentially distributed number, rounded to 6 decimals.',
  params: {
    lambda: {
      type: 'number',
      default: 1,
      description: 'The rate, which must be above 0. The mean is 1 / lambda.',
    },
  },
  output: 'number',
  examples: [svcExample('exponential', { lambda: 0.2 }), svcExample('exponential')],
  build(parameters) {
    const lambda = parameters.number('lambda');
    if (!(lambda > 0)) throw parameters.fault('lambda', `must be above 0, got ${lambda}`);
    const draw = withFaultPath(parameters.at('lambda'), () => distributions.exponential(lambda));
    const round = rounder(6);
    return (random) => round(draw(random));
  },
});
