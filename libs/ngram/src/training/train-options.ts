import { TrainingError } from '../errors.js';
import { CASE_FOLDINGS, type CaseFolding } from '../model/case-folding.js';
import { PUBLIC_FINGERPRINT_KEY } from '../model/fingerprint.js';

export const MIN_ORDER = 2;
export const MAX_ORDER = 8;
/** Training with this number of transitions takes about 1 GB of memory. The file then has about 60 MB. */
const DEFAULT_MAX_TRANSITIONS = 1 << 23;
const LARGEST_MAX_TRANSITIONS = 1 << 25;
/** The maximum length of a text in the metadata, in UTF-16 units. */
const LONGEST_TEXT = 2000;

const TOKEN_TYPES = ['char', 'word'] as const;
const ORIGINALS = ['fingerprints', 'values', 'none'] as const;

export interface TrainOptions {
  /** 2 to 8. A symbol depends on up to `order - 1` symbols before it. */
  readonly order: number;
  /** The display name, and the last part of the id. */
  readonly name: string;
  /** The first part of the id: `<lang>_<REGION>` or another text. */
  readonly locale: string;
  /** Default: `<locale>/<name>`. */
  readonly id?: string;
  /** The kind of a symbol. `char` (default) is a code point; `word` is a text between white space. */
  readonly tokenType?: 'char' | 'word';
  /**
   * The number of distinct values in which a transition must occur to be kept. Default: 1, which keeps all.
   */
  readonly minValues?: number;
  readonly caseFolding?: CaseFolding;
  /**
   * The form in which training values are recorded.
   *
   * - `fingerprints` (default) records 8 bytes per distinct value. Plans can then exclude originals, and the
   *   trainer recognises repeats.
   * - `values` records the values themselves, for mode `real_word` and for the fastest exclusion of
   *   originals. Use it only for public data.
   * - `none` records nothing. Training then needs memory only for transitions, and you must add each distinct
   *   value only once.
   */
  readonly originals?: 'fingerprints' | 'values' | 'none';
  /**
   * 16 bytes. The file does not contain this key. Without the key, the fingerprints reveal nothing. Pass the
   * same key to `readModel`. Default: a public key, with which anyone can test guesses of values against the
   * file.
   */
  readonly fingerprintKey?: Uint8Array;
  /**
   * The maximum number of distinct transitions. Training fails if there are more. Each takes about 130 bytes.
   * Default: 8,388,608.
   */
  readonly maxTransitions?: number;
  /** The SPDX identifier and the origin of the data, for models that will be published. */
  readonly licence?: string;
  readonly source?: string;
}

export type ResolvedTrainOptions = Required<Omit<TrainOptions, 'fingerprintKey'>> & {
  readonly fingerprintKey: Uint8Array;
  readonly isKeyed: boolean;
};

/**
 * Checks the options and fills in defaults.
 * @throws TrainingError if an option is invalid; the message names the option
 */
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
