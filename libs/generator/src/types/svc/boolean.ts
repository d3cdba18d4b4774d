import type { RandomStream } from '@understudy/random';
import { defineGenerator } from '../../registry/define-generator.js';
import { weightedVariety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

export const booleanType = defineGenerator({
  name: svcName('boolean'),
  description: 'True with the given probability, otherwise false.',
  params: {
    probability: {
      type: 'number',
      default: 0.5,
      description: 'The probability of true, clamped to the range from 0 to 1.',
    },
  },
  output: 'boolean',
  examples: [svcExample('boolean', { probability: 0.8 }), svcExample('boolean')],
  build(parameters) {
    const probability = Math.min(1, Math.max(0, parameters.number('probability')));
    return {
      draw: (random: RandomStream) => random.float53() < probability,
      variety: () => weightedVariety([probability, 1 - probability]),
    };
  },
});
