import { ByteSink } from '@understudy/bytes';
import type { JsonRule, JsonSteps } from '@understudy/column-rule';
import { readTextField, writeTextField } from '@understudy/copy-format';
import { deriveKey, type Key, sipHash128 } from '@understudy/random';
import type { ColumnMask } from '../compile/column-mask.js';
import { compileColumnMask, type MaskingContext } from '../compile/compile-column-mask.js';
import {
  generateForOriginal,
  generateValue,
  MAX_ATTEMPTS,
  originalStream,
} from '../values/generate-value.js';
import { jsonForm } from '../values/text-form.js';
import { MaskingError } from '../compile/masking-errors.js';

/**
 * The largest document, in bytes. The agent holds its bytes, its text and its masked text in memory at the
 * same time.
 */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
/** The maximum number of masked values in one document. */
const MAX_VALUES = 1_000_000;

/**
 * Finds the values at the given paths in a JSON text. Calls `found` for each value with the index of its path
 * and its bounds, in the order of the text. If an object contains the same key twice, both values are found.
 * Paths never overlap, so no value is inside another one.
 * @throws JsonTextError
 */
export type FindJsonPaths = (text: string, found: (path: number, start: number, end: number) => void) => void;

/** A text that is not JSON, or that is nested too deeply to parse. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

/** The compiled rules of a JSON column. */
export interface JsonMask {
  readonly column: { readonly name: string; readonly path: string };
  /** One entry for each path, in the order of the rule's paths. */
  readonly leaves: readonly JsonLeaf[];
  readonly find: FindJsonPaths;
  /** Names of the masked columns that any of the rules reads. */
  readonly references: readonly string[];
}

interface JsonLeaf {
  readonly mask: ColumnMask;
  /**
   * The key with which the row key and the number of a value in its document are hashed. Each value of a
   * document therefore gets a different hash.
   */
  readonly elementKey: Key;
}

export interface JsonColumn {
  readonly name: string;
  readonly path: string;
  readonly rule: JsonRule;
}

/**
 * Compiles the rules of one JSON column.
 * @param produced see `compileColumnMask`
 * @param finder returns a function that finds the given paths
 * @throws MaskingRuleError
 */
export function compileJsonMask(
  { name, path, rule }: JsonColumn,
  produced: readonly string[],
  context: MaskingContext,
  finder: (paths: readonly JsonSteps[]) => FindJsonPaths,
): JsonMask {
  const masks = rule.paths.map((place) =>
    compileColumnMask(
      {
        name,
        path: place.path,
        rule: place.rule,
        isText: true,
        isBlankPadded: false,
        jsonSteps: place.steps,
      },
      produced,
      context,
    ),
  );
  return {
    column: { name, path },
    leaves: masks.map((mask) => ({ mask, elementKey: deriveKey(mask.key, 'element') })),
    find: finder(rule.paths.map(({ steps }) => steps)),
    references: [...new Set(masks.flatMap(({ references }) => references))],
  };
}

/**
 * Replaces the values at the mask's paths in the document `bytes[start, end)`, a field of COPY's text format.
 * The text outside of these values stays unchanged. A JSON null at such a path is not replaced.
 * @param row the 32-bit words of the row key's hash, and the row's number
 * @throws MaskingError value_invalid, generation_failed
 */
export function maskDocument(
  { leaves, find, column }: JsonMask,
  bytes: Uint8Array,
  start: number,
  end: number,
  row: ValueInDocument['row'],
  bindings: readonly unknown[],
): string {
  if (end - start > MAX_JSON_BYTES) {
    const limit = `${MAX_JSON_BYTES / 1024 / 1024} MiB`;
    throw new MaskingError('value_invalid', column.name, `a document is larger than ${limit}`);
  }
  const text = readTextField(bytes, start, end) ?? '';
  let masked = '';
  let done = 0;
  let count = 0;
  try {
    find(text, (path, from, to) => {
      if (count === MAX_VALUES)
        throw new JsonTextError(`a document has more than ${MAX_VALUES} values to mask`);
      const leaf = leaves[path] as JsonLeaf;
      masked += text.slice(done, from);
      masked += maskValue(leaf, text.slice(from, to), { row, index: count, bindings });
      done = to;
      count++;
    });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new MaskingError('value_invalid', column.name, error.message);
  }
  return done === 0 ? text : masked + text.slice(done);
}

interface ValueInDocument {
  readonly row: { readonly key: Int32Array; readonly number: number };
  /** The number of the value in the document, from 0. */
  readonly index: number;
  readonly bindings: readonly unknown[];
}

function maskValue({ mask, elementKey }: JsonLeaf, original: string, at: ValueInDocument): string {
  if (original === 'null') return original;
  const old = original.startsWith('"') ? (JSON.parse(original) as string) : undefined;
  const generate = mask.originalKey
    ? attemptsForOriginal(mask, old ?? original)
    : attemptsForElement(mask, elementKey, at);
  // If the mask has `originalAttempts`, these have already selected the attempt.
  const attempts = mask.differs && mask.originalAttempts === undefined ? MAX_ATTEMPTS : 1;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const value = generate(attempt);
    const json = jsonForm(value, mask.column.name);
    const isOld = old === undefined ? json === original : value === old;
    if (attempts === 1 || !isOld || json === 'null') return json;
  }
  throw new MaskingError(
    'generation_failed',
    mask.column.name,
    `${MAX_ATTEMPTS} attempts gave no value that differs from the document's own`,
  );
}

const scratch = new ByteSink(256);
const words = new Int32Array(3);
const elementBytes = new Uint8Array(12);
const element = new DataView(elementBytes.buffer);

/**
 * Returns a function that generates the candidates for an original inside a document. A text column with the
 * same key and the same original gets the same values.
 */
function attemptsForOriginal(mask: ColumnMask, original: string): (attempt: number) => unknown {
  scratch.length = 0;
  // A JSON string can hold U+0000 as an escape, but a text column cannot hold it. The replacement could be
  // any text that an original rarely contains.
  writeTextField(scratch, original.replaceAll('\0', '\\u0000'));
  originalStream(mask, scratch.bytes, 0, scratch.length, words);
  return (attempt) => generateForOriginal(mask, words, attempt, scratch.bytes, 0, scratch.length);
}

function attemptsForElement(
  mask: ColumnMask,
  elementKey: Key,
  { row, index, bindings }: ValueInDocument,
): (attempt: number) => unknown {
  element.setInt32(0, row.key[0] as number);
  element.setInt32(4, row.key[1] as number);
  element.setInt32(8, index);
  sipHash128(elementKey, elementBytes, 0, elementBytes.length, words);
  return (attempt) => generateValue(mask, words, attempt, bindings, row.number);
}
