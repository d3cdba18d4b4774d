import { CASE_FOLDINGS, type CaseFolding } from './case-folding.js';
import { ModelFormatError } from '../errors.js';

/** The metadata of a model, section META of the file. */
export interface ModelMetadata {
  readonly id: string;
  readonly name: string;
  readonly locale: string;
  readonly licence: string;
  readonly source: string;
  readonly caseFolding: CaseFolding;
  readonly normalization: 'NFC';
  /** The generation modes that the model serves. */
  readonly modes: readonly string[];
  readonly minValues: number;
  readonly distinctValues: number;
  readonly totalWeight: number;
  /**
   * The shortest length in code points that at least `minValues` distinct values have. 0 if there is no such
   * length.
   */
  readonly shortestValue: number;
  /** The longest length that at least `minValues` distinct values have, or 0. */
  readonly longestValue: number;
  /**
   * The probability that a word drawn without constraints is not a training value, to six digits. Null if
   * training could not determine it.
   */
  readonly novelMass: number | null;
}

const MAX_BYTES = 65536;

/** Encodes JSON in ASCII with keys in a fixed order. Other code units become \u escapes. */
export function encodeMetadata(metadata: ModelMetadata): Uint8Array {
  const ordered = {
    id: metadata.id,
    name: metadata.name,
    locale: metadata.locale,
    licence: metadata.licence,
    source: metadata.source,
    case_folding: metadata.caseFolding,
    normalization: metadata.normalization,
    modes: metadata.modes,
    min_values: metadata.minValues,
    distinct_values: metadata.distinctValues,
    total_weight: metadata.totalWeight,
    shortest_value: metadata.shortestValue,
    longest_value: metadata.longestValue,
    novel_mass: metadata.novelMass,
  };
  const json = JSON.stringify(ordered).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Uint8Array.from(json, (unit) => unit.charCodeAt(0));
}

/** @throws ModelFormatError that names the field */
export function decodeMetadata(bytes: Uint8Array): ModelMetadata {
  const fields = parseObject(bytes);
  const normalization = text(fields, 'normalization');
  if (normalization !== 'NFC') throw new ModelFormatError('metadata: normalization is not NFC');
  const caseFolding = CASE_FOLDINGS.find((folding) => folding === fields.get('case_folding'));
  if (caseFolding === undefined) throw new ModelFormatError('metadata: case_folding is unknown');
  const modes = fields.get('modes');
  if (!Array.isArray(modes) || !modes.every((mode) => typeof mode === 'string')) {
    throw new ModelFormatError('metadata: modes is not a list of strings');
  }
  return Object.freeze({
    id: text(fields, 'id'),
    name: text(fields, 'name'),
    locale: text(fields, 'locale'),
    licence: text(fields, 'licence'),
    source: text(fields, 'source'),
    caseFolding,
    normalization,
    modes: Object.freeze([...modes]),
    minValues: whole(fields, 'min_values'),
    distinctValues: whole(fields, 'distinct_values'),
    totalWeight: whole(fields, 'total_weight'),
    shortestValue: whole(fields, 'shortest_value'),
    longestValue: whole(fields, 'longest_value'),
    novelMass: share(fields, 'novel_mass'),
  });
}

function parseObject(bytes: Uint8Array): Map<string, unknown> {
  if (bytes.length > MAX_BYTES) throw new ModelFormatError(`metadata: longer than ${MAX_BYTES} bytes`);
  let json = '';
  for (const byte of bytes) {
    if (byte < 0x20 || byte > 0x7e) throw new ModelFormatError('metadata: not printable ASCII');
    json += String.fromCharCode(byte);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new ModelFormatError('metadata: not JSON'); // the parser's message would quote the file
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ModelFormatError('metadata: not a JSON object');
  }
  return new Map(Object.entries(parsed));
}

function text(fields: Map<string, unknown>, name: string): string {
  const value = fields.get(name);
  if (typeof value !== 'string') throw new ModelFormatError(`metadata: ${name} is not a string`);
  return value;
}

function whole(fields: Map<string, unknown>, name: string): number {
  const value = fields.get(name);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new ModelFormatError(`metadata: ${name} is not a whole number`);
  }
  return value;
}

function share(fields: Map<string, unknown>, name: string): number | null {
  const value = fields.get(name);
  if (value === null) return null;
  if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw new ModelFormatError(`metadata: ${name} is not a number from 0 to 1`);
  }
  return value;
}

/** The modes in which a model can generate text. */
export const GENERATION_MODES = [
  'word',
  'sentence',
  'text',
  'paragraph',
  'poem',
  'acrostic',
  'real_word',
] as const;

export type GenerationMode = (typeof GENERATION_MODES)[number];

/**
 * Returns the modes that a model serves: all modes, but `real_word` only if the model contains its training
 * values.
 */
export function servedModes(hasValues: boolean): readonly GenerationMode[] {
  return GENERATION_MODES.filter((mode) => hasValues || mode !== 'real_word');
}
