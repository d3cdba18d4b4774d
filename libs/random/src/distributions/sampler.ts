import type { RandomStream } from '../random-stream.js';

/** Draws one value. Pure: advances only `random`, by as many words as it needs. Never NaN, never infinite. */
export type Sampler = (random: RandomStream) => number;

/** Tries of a rejection method that accepts more than half of them: all failing has a probability below 2^-1000. */
export const MOST_TRIES = 1000;
