import type { Draw } from '../../node.js';
import { compileDateBetween, compileDatetimeBetween, compileTimeBetween, compileTimestamp } from './dates.js';
import { compileNanoid, compileUlid, compileUuidV4, compileUuidV7 } from './identifiers.js';
import {
  compileBoolean,
  compileDigits,
  compileExponential,
  compileFloatBetween,
  compileGaussian,
  compileIntBetween,
  compileSequence,
} from './numbers.js';
import type { Parameters } from './parameters.js';

export interface Algorithm {
  /** Checks the parameters and builds what draws. @throws ParameterFault */
  readonly compile: (parameters: Parameters, nowMs: number) => Draw;
  /** The value counts rows, so that a cell without a row number cannot have it. */
  readonly countsRows: boolean;
}

/** The algorithms of `svc`: pure, without a data source, the same in every locale. */
export const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map([
  ['uuid_v4', { compile: compileUuidV4, countsRows: false }],
  ['uuid_v7', { compile: compileUuidV7, countsRows: true }],
  ['ulid', { compile: compileUlid, countsRows: true }],
  ['nanoid', { compile: compileNanoid, countsRows: false }],
  ['int_between', { compile: compileIntBetween, countsRows: false }],
  ['float_between', { compile: compileFloatBetween, countsRows: false }],
  ['boolean', { compile: compileBoolean, countsRows: false }],
  ['datetime_between', { compile: compileDatetimeBetween, countsRows: false }],
  ['date_between', { compile: compileDateBetween, countsRows: false }],
  ['time_between', { compile: compileTimeBetween, countsRows: false }],
  ['timestamp', { compile: compileTimestamp, countsRows: false }],
  ['sequence', { compile: compileSequence, countsRows: true }],
  ['gaussian', { compile: compileGaussian, countsRows: false }],
  ['exponential', { compile: compileExponential, countsRows: false }],
  ['digits', { compile: compileDigits, countsRows: false }],
]);
