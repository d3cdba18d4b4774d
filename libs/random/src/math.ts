import { exp } from './exponential.js';
import { log, log1p } from './logarithm.js';
import { pow } from './power.js';
import { cos, sin } from './sine.js';

/**
 * The functions whose last bit differs between JavaScript engines, made of additions, multiplications, divisions
 * and square roots alone: those are exact under IEEE 754, so the results are the same bits on every machine.
 */
export const math = Object.freeze({
  exp,
  log,
  log1p,
  pow,
  sin,
  cos,
  /** IEEE 754 rounds the square root correctly, so the engine's own is the same everywhere. */
  sqrt: (x: number): number => Math.sqrt(x),
});
