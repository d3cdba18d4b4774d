import { TrainingError } from '../errors.js';
import { CASE_FOLDINGS, type CaseFolding } from '../model/case-folding.js';
import { PUBLIC_FINGERPRINT_KEY } from '../model/fingerprint.js';

export const MIN_ORDER = 2;
export const MAX_ORDER = 8;
/** About 1 GB while training, and a file of some 60 MB. */
const DEFAULT_MAX_TRANSITIONS = 1 << 23;
const LARGEST_MAX_TRANSITIONS = 1 << 25;
/** Of a metadata text, so that the whole stays readable. */
const LONGEST_TEXT = 2000;

const TOKEN_TYPES = ['char', 'word'] as const;
const ORIGINALS = ['fingerprints', 'values', 'none'] as const;

export interface TrainOptions {
  /** 2 to 8: a symbol depends on the `order - 1` before it. */
  readonly order: number;
  /** Display name; also the last part of the id. */
  readonly name: string;
  /** `<lang>_<REGION>`, or whatever the first part of the id shall be. */
  readonly locale: string;
  /** Default `<locale>/<name>`. */
  readonly id?: string;
  /** What a symbol is: `char` (default), a code point; `word`, what stands between white space. */
  readonly tokenType?: 'char' | 'word';
  /** Only transitions seen in at least this many distinct values survive. Default 1: all do. */
  readonly minValues?: number;
  readonly caseFolding?: CaseFolding;
  /**
   * `fingerprints` (default) records 8 bytes a distinct value, so that plans can exclude originals and repeated
   * values are recognised. `values` records the values themselves, for mode `real_word` and for the fastest
   * exclusion: public data only. With `none` memory depends on transitions alone and each value must be added once.
   */
  readonly originals?: 'fingerprints' | 'values' | 'none';
  /**
   * 16 bytes. With it the fingerprints say nothing to those without the key, which is not in the file: hand it to
   * `readModel` again. Without it a public key is used and anybody may test a guess against the file.
   */
  readonly fingerprintKey?: Uint8Array;
  /** Training stops with an error beyond so many distinct transitions, some 130 bytes each. Default 8,388,608. */
  readonly maxTransitions?: number;
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
  const { fingerprintKey } = options;
  if (fingerprintKey !== undefined && fingerprintKey.length !== 16) {
    throw new TrainingError('fingerprintKey must have 16 bytes');
  }
  const name = text('name', options.name);
  const locale = text('locale', options.locale);
  return {
    order: whole('order', options.order, MIN_ORDER, MAX_ORDER),
    minValues: whole('minValues', options.minValues ?? 1, 1, 0xffffffff),
    maxTransitions: whole(
      'maxTransitions',
      options.maxTransitions ?? DEFAULT_MAX_TRANSITIONS,
      1,
      LARGEST_MAX_TRANSITIONS,
    ),
    tokenType: oneOf('tokenType', options.tokenType ?? 'char', TOKEN_TYPES),
    caseFolding: oneOf('caseFolding', options.caseFolding ?? 'preserve', CASE_FOLDINGS),
    originals: oneOf('originals', options.originals ?? 'fingerprints', ORIGINALS),
    name,
    locale,
    id: text('id', options.id ?? `${locale}/${name}`),
    licence: text('licence', options.licence ?? ''),
    source: text('source', options.source ?? ''),
    fingerprintKey: fingerprintKey ?? PUBLIC_FINGERPRINT_KEY,
    isKeyed: fingerprintKey !== undefined,
  };
}

function whole(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new TrainingError(`${name} must be a whole number from ${least} to ${most}`);
  }
  return value;
}

function oneOf<T extends string>(name: string, value: T, known: readonly T[]): T {
  if (!known.includes(value)) throw new TrainingError(`${name} must be one of ${known.join(', ')}`);
  return value;
}

function text(name: string, value: string): string {
  if (typeof value !== 'string' || value.length > LONGEST_TEXT) {
    throw new TrainingError(`${name} must be a text of at most ${LONGEST_TEXT} characters`);
  }
  return value;
}
