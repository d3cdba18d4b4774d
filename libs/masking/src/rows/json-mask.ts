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

/** A document, with its place in a string, a copy and its new form, has to fit an agent beside everything else. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
/** Masked values of one document. */
const MAX_PLACES = 1_000_000;

/**
 * Finds the values of a JSON text that paths name: calls `found` for each with the path's index and the value's bounds, in the
 * text's order. A key that an object holds twice is found twice. Paths do not meet, so no value stands inside another.
 * @throws JsonTextError
 */
export type FindJsonPaths = (text: string, found: (path: number, start: number, end: number) => void) => void;

/** A text that is no JSON, or nested deeper than can be followed. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

/** The rules of a JSON column, ready to run. */
export interface JsonMask {
  readonly column: { readonly name: string; readonly path: string };
  /** By path. */
  readonly leaves: readonly JsonLeaf[];
  readonly find: FindJsonPaths;
  /** Names of produced columns that any of them reads. */
  readonly references: readonly string[];
}

interface JsonLeaf {
  readonly mask: ColumnMask;
  /** Tells the elements of one row from each other. */
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
 * @param finder makes what finds the given paths
 * @throws MaskingRuleError
 */
export function compileJsonMask(
  { name, path, rule }: JsonColumn,
  produced: readonly string[],
  context: MaskingContext,
  finder: (paths: readonly JsonSteps[]) => FindJsonPaths,
): JsonMask {
  const masks = rule.places.map((place) =>
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
    find: finder(rule.places.map(({ steps }) => steps)),
    references: [...new Set(masks.flatMap(({ references }) => references))],
  };
}

/**
 * Replaces the values at the mask's paths in the document `bytes[start, end)`, a field of COPY's text format. Every other
 * character stays as it was, and so does JSON's null.
 * @param row the words of its hash, and its number
 * @throws MaskingError
 */
export function maskDocument(
  { leaves, find, column }: JsonMask,
  bytes: Uint8Array,
  start: number,
  end: number,
  row: PlaceInRow['row'],
  bindings: readonly unknown[],
): string {
  if (end - start > MAX_JSON_BYTES) {
    const limit = `${MAX_JSON_BYTES / 1024 / 1024} MiB`;
    throw new MaskingError('value_invalid', column.name, `a document of more than ${limit}`);
  }
  const text = readTextField(bytes, start, end) ?? '';
  let masked = '';
  let done = 0;
  let places = 0;
  try {
    find(text, (path, from, to) => {
      if (places === MAX_PLACES)
        throw new JsonTextError(`more than ${MAX_PLACES} values to mask in a document`);
      const leaf = leaves[path] as JsonLeaf;
      masked += text.slice(done, from);
      masked += maskValue(leaf, text.slice(from, to), { row, place: places, bindings });
      done = to;
      places++;
    });
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new MaskingError('value_invalid', column.name, error.message);
  }
  return done === 0 ? text : masked + text.slice(done);
}

interface PlaceInRow {
  readonly row: { readonly key: Int32Array; readonly number: number };
  /** Counted through the document. */
  readonly place: number;
  readonly bindings: readonly unknown[];
}

function maskValue({ mask, elementKey }: JsonLeaf, original: string, at: PlaceInRow): string {
  if (original === 'null') return original;
  const old = original.startsWith('"') ? (JSON.parse(original) as string) : undefined;
  const draw = mask.originalKey
    ? attemptsForOriginal(mask, old ?? original)
    : attemptsForElement(mask, elementKey, at);
  // The attempt of an original was chosen before the rows: see OriginalAttempts.
  const draws = mask.differs && mask.originalAttempts === undefined ? MAX_ATTEMPTS : 1;
  for (let attempt = 0; attempt < draws; attempt++) {
    const value = draw(attempt);
    const json = jsonForm(value, mask.column.name);
    const isOld = old === undefined ? json === original : value === old;
    if (draws === 1 || !isOld || json === 'null') return json;
  }
  throw new MaskingError(
    'generation_failed',
    mask.column.name,
    `no value other than the document's own in ${MAX_ATTEMPTS} draws`,
  );
}

const scratch = new ByteSink(256);
const words = new Int32Array(3);
const elementBytes = new Uint8Array(12);
const element = new DataView(elementBytes.buffer);

/** Draws of a text as a column would hold it, so that columns and documents share their values. */
function attemptsForOriginal(mask: ColumnMask, original: string): (attempt: number) => unknown {
  scratch.length = 0;
  // A json column may hold U+0000 as an escape, which no text column can; any other stand-in does as well.
  writeTextField(scratch, original.replaceAll('\0', '\\u0000'));
  originalStream(mask, scratch.bytes, 0, scratch.length, words);
  return (attempt) => generateForOriginal(mask, words, attempt, scratch.bytes, 0, scratch.length);
}

function attemptsForElement(
  mask: ColumnMask,
  elementKey: Key,
  { row, place, bindings }: PlaceInRow,
): (attempt: number) => unknown {
  element.setInt32(0, row.key[0] as number);
  element.setInt32(4, row.key[1] as number);
  element.setInt32(8, place);
  sipHash128(elementKey, elementBytes, 0, elementBytes.length, words);
  return (attempt) => generateValue(mask, words, attempt, bindings, row.number);
}
