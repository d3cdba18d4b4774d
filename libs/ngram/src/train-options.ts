import { CASE_FOLDINGS, type CaseFolding } from './case-folding.js';
import { TrainingError } from './errors.js';
import { PUBLIC_FINGERPRINT_KEY } from './fingerprint.js';

export const MIN_ORDER = 2;
export const MAX_ORDER = 8;

export interface TrainOptions {
  /** 2 to 8: a symbol depends on the `order - 1` before it. */
  readonly order: number;
  /** Display name; also the last part of the id. */
  readonly name: string;
  /** `<lang>_<REGION>`, or whatever the first part of the id shall be. */
  readonly locale: string;
  /** Default `<locale>/<name>`. */
  readonly id?: string;
  /** Only transitions seen in at least this many distinct values survive. Default 1: all do. */
  readonly minValues?: number;
  readonly caseFolding?: CaseFolding;
  /**
   * `fingerprints` (default) records 8 bytes a distinct value, so that plans can exclude originals and repeated
   * values are recognised; with `none` memory depends on transitions alone and each value must be added once.
   */
  readonly originals?: 'fingerprints' | 'none';
  /**
   * 16 bytes. With it the fingerprints say nothing to those without the key, which is not in the file: hand it to
   * `readModel` again. Without it a public key is used and anybody may test a guess against the file.
   */
  readonly fingerprintKey?: Uint8Array;
  /** SPDX identifier and origin of the data, for models that are given away. */
  readonly licence?: string;
  readonly source?: string;
}

export type ResolvedTrainOptions = Required<Omit<TrainOptions, 'fingerprintKey'>> & {
  readonly fingerprintKey: Uint8Array;
  readonly isKeyed: boolean;
};

/** Defaults filled in. @throws TrainingError that names the option */
export function resolveTrainOptions(options: TrainOptions): ResolvedTrainOptions {
  const { order, minValues = 1, caseFolding = 'preserve', fingerprintKey } = options;
  if (!Number.isInteger(order) || order < MIN_ORDER || order > MAX_ORDER) {
    throw new TrainingError(`order must be a whole number from ${MIN_ORDER} to ${MAX_ORDER}`);
  }
  if (!Number.isInteger(minValues) || minValues < 1 || minValues > 0xffffffff) {
    throw new TrainingError('minValues must be a whole number from 1');
  }
  if (!CASE_FOLDINGS.includes(caseFolding)) {
    throw new TrainingError(`caseFolding must be one of ${CASE_FOLDINGS.join(', ')}`);
  }
  if (fingerprintKey !== undefined && fingerprintKey.length !== 16) {
    throw new TrainingError('fingerprintKey must have 16 bytes');
  }
  return {
    order,
    minValues,
    caseFolding,
    name: options.name,
    locale: options.locale,
    id: options.id ?? `${options.locale}/${options.name}`,
    originals: options.originals ?? 'fingerprints',
    licence: options.licence ?? '',
    source: options.source ?? '',
    fingerprintKey: fingerprintKey ?? PUBLIC_FINGERPRINT_KEY,
    isKeyed: fingerprintKey !== undefined,
  };
}
