import { uuidV4, uuidV7, type RandomStream } from '@understudy/random';
import { ParameterFault } from '../../definition/errors.js';
import { defineGenerator } from '../../registry/define-generator.js';
import type { Parameters } from '../../registry/parameters.js';
import type { Row } from '../../values/row.js';
import { evenVariety } from '../../values/variety.js';
import { svcExample, svcName } from '../../definition/authored-types.js';

const NANOID = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
/** Values with at least this many random bits have the trait `collisionFree`. */
const COLLISION_FREE_BITS = 90;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const uuidV4Type = defineGenerator({
  name: svcName('uuid_v4'),
  description: 'A random UUID (RFC 9562, version 4).',
  params: {},
  output: 'string',
  examples: [svcExample('uuid_v4')],
  build: () => ({
    draw: (random: RandomStream) => uuidV4(random),
    variety: () => evenVariety(2 ** 122),
    traits: { collisionFree: { length: 36 } },
  }),
});

export const uuidV7Type = defineGenerator({
  name: svcName('uuid_v7'),
  description:
    'A UUID that sorts in the order of the rows (RFC 9562, version 7). Its time is the reference ' +
    'instant plus the row number in milliseconds.',
  params: {},
  output: 'string',
  countsRows: true,
  examples: [svcExample('uuid_v7')],
  build(parameters, _, { nowMs }) {
    checkEpoch(parameters, nowMs);
    return {
      draw: (random: RandomStream, row: Row) => uuidV7(random, nowMs + row.index),
      variety: () => undefined,
      traits: { neverRepeats: true },
    };
  },
});

export const ulidType = defineGenerator({
  name: svcName('ulid'),
  description:
    'A ULID that sorts in the order of the rows: 48 bits of time as for uuid_v7, then 80 random ' +
    "bits, in Crockford's base 32.",
  params: {},
  output: 'string',
  countsRows: true,
  examples: [svcExample('ulid')],
  build(parameters, _, { nowMs }) {
    checkEpoch(parameters, nowMs);
    const draw = (random: RandomStream, row: Row): string => {
      let time = '';
      for (let rest = nowMs + row.index, i = 0; i < 10; i += 1) {
        time = CROCKFORD.charAt(rest % 32) + time;
        rest = Math.floor(rest / 32);
      }
      return time + symbols(random, CROCKFORD, 5, 16);
    };
    return { draw, variety: () => undefined, traits: { neverRepeats: true } };
  },
});

export const nanoidType = defineGenerator({
  name: svcName('nanoid'),
  description: 'A random identifier of letters, digits, _ and -. Each symbol has 6 random bits.',
  params: {
    length: {
      type: 'integer',
      default: 21,
      minimum: 1,
      maximum: 1024,
      description: 'The number of symbols.',
    },
  },
  output: 'string',
  examples: [svcExample('nanoid'), svcExample('nanoid', { length: 8 })],
  build(parameters) {
    const length = parameters.integer('length');
    return {
      draw: (random: RandomStream) => symbols(random, NANOID, 6, length),
      variety: () => evenVariety(2 ** (6 * length)),
      traits: 6 * length >= COLLISION_FREE_BITS ? { collisionFree: { length } } : {},
    };
  },
});

/** The time of these identifiers counts from 1970 and has no sign. @throws ParameterFault */
function checkEpoch(parameters: Parameters, nowMs: number): void {
  if (nowMs < 0) throw new ParameterFault(parameters.path, 'needs a reference instant (now) from 1970 on');
}

/**
 * Draws `length` symbols of an alphabet with 2^bits symbols. Takes as many symbols as possible from each
 * random word.
 */
function symbols(random: RandomStream, alphabet: string, bits: number, length: number): string {
  const perWord = Math.floor(32 / bits);
  const mask = (1 << bits) - 1;
  let text = '';
  let word = 0;
  for (let i = 0; i < length; i += 1) {
    if (i % perWord === 0) word = random.uint32();
    text += alphabet.charAt(word & mask);
    word >>>= bits;
  }
  return text;
}
