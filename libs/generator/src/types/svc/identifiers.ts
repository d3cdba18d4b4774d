import { uuidV4, uuidV7, type RandomStream } from '@understudy/random';
import type { Draw } from '../../node.js';
import type { Parameters } from './parameters.js';

const NANOID = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const MAX_NANOID = 1024;

export function compileUuidV4(parameters: Parameters): Draw {
  parameters.only();
  return (random) => uuidV4(random);
}

/** Its time is the reference instant plus the row's number in milliseconds, so that it sorts as the rows do. */
export function compileUuidV7(parameters: Parameters, nowMs: number): Draw {
  parameters.only();
  return (random, row) => uuidV7(random, nowMs + row.index);
}

/** 48 bits of time as for `uuid_v7`, then 80 random bits, in Crockford's base 32. */
export function compileUlid(parameters: Parameters, nowMs: number): Draw {
  parameters.only();
  return (random, row) => {
    let time = '';
    for (let rest = nowMs + row.index, i = 0; i < 10; i += 1) {
      time = CROCKFORD.charAt(rest % 32) + time;
      rest = Math.floor(rest / 32);
    }
    return time + symbols(random, CROCKFORD, 5, 16);
  };
}

export function compileNanoid(parameters: Parameters): Draw {
  parameters.only('length');
  const length = parameters.integer('length', 21);
  if (length < 1 || length > MAX_NANOID) throw parameters.fault('length', `must be from 1 to ${MAX_NANOID}`);
  return (random) => symbols(random, NANOID, 6, length);
}

/** `length` symbols of an alphabet of 2^bits, as many out of each random word as it holds. */
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
