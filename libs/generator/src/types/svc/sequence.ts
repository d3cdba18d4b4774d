import type { Draw } from '../../values/node.js';
import { defineGenerator } from '../../registry/define-generator.js';
import { evenVariety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

export const sequenceType = defineGenerator({
  name: svcName('sequence'),
  description:
    'Counts rows: start + row number × step. The first row has number 0. Inside of a repeat, it ' +
    'counts the items instead.',
  params: {
    start: { type: 'integer', default: 1, description: 'The first value.' },
    step: { type: 'integer', default: 1, description: 'The difference between two consecutive values.' },
  },
  output: 'integer',
  countsRows: true,
  examples: [svcExample('sequence'), svcExample('sequence', { start: 1000, step: 5 })],
  build(parameters) {
    const start = parameters.integer('start');
    const step = parameters.integer('step');
    const draw: Draw = (_, row) => {
      const offset = row.index * step;
      const value = start + offset;
      if (Number.isSafeInteger(value) && Number.isSafeInteger(offset)) return value;
      const exact = BigInt(start) + BigInt(row.index) * BigInt(step);
      return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
    };
    return step === 0
      ? { draw, variety: () => evenVariety(1) }
      : { draw, variety: () => undefined, traits: { neverRepeats: true } };
  },
});
