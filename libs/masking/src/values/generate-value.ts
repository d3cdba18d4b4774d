import { ByteSink } from '@understudy/bytes';
import type { SlotTexts } from '@understudy/generator';
import { type Key, sipHash128 } from '@understudy/random';
import { canonicalEnd, isFolded, readInteger, writeCanonical } from './canonical-value.js';
import type { CellPlan, ColumnMask } from '../compile/column-mask.js';
import { cutToLength, textForm } from './text-form.js';
import { MaskingError } from '../compile/masking-errors.js';

/**
 * The maximum number of attempts to generate a value for one cell that is unique, or that differs from the
 * original.
 */
export const MAX_ATTEMPTS = 200;

/**
 * Generates the value of one cell.
 * @param stream two 32-bit words of the hash of the row key or of the original value, and a third word if the
 * mask has `uses96Bits`
 * @param index the number of the row, or of the original if `originalAttempts.isNumbered`
 * @throws MaskingError generation_failed
 */
export function generateValue(
  { plan, key, column, uses96Bits }: ColumnMask,
  stream: Int32Array,
  attempt: number,
  bindings: readonly unknown[],
  index = 0,
): unknown {
  // The third word is added to the attempt number modulo 2^32. The random stream then depends on 96 bits.
  const from = uses96Bits === true ? (stream[2] as number) : 0;
  try {
    return plan.value(key, stream[0] as number, stream[1] as number, (from + attempt) | 0, bindings, index);
  } catch (error) {
    throw new MaskingError('generation_failed', column.name, 'the rule failed on a row', { cause: error });
  }
}

/** Writes the values of one mask as texts. All writers are objects of one shape. */
export interface TextWriter {
  readonly write: NonNullable<CellPlan['write']>;
  readonly key: Key;
  readonly uses96Bits: boolean;
  readonly name: string;
}

/** @returns undefined if the plan of the mask cannot write texts */
export function textWriterOf({ plan, key, column, uses96Bits }: ColumnMask): TextWriter | undefined {
  const { write } = plan;
  return write && { write, key, uses96Bits: uses96Bits === true, name: column.name };
}

/**
 * Appends the text of the value that {@link generateValue} returns.
 * @returns false if the plan cannot write this value; the caller must then remove the appended bytes
 * @throws MaskingError generation_failed
 */
export function writeGenerated(
  { write, key, uses96Bits, name }: TextWriter,
  stream: Int32Array,
  attempt: number,
  texts: SlotTexts,
  out: ByteSink,
): boolean {
  const from = uses96Bits ? (stream[2] as number) : 0;
  try {
    return write(key, stream[0] as number, stream[1] as number, (from + attempt) | 0, texts, out);
  } catch (error) {
    throw new MaskingError('generation_failed', name, 'the rule failed on a row', { cause: error });
  }
}

const NO_BINDINGS: readonly unknown[] = [];

/**
 * Generates the `attempt`-th value for an original. The mask must have an `originalKey`.
 * @param stream see `originalStream`
 * @throws MaskingError generation_failed
 */
export function generateForOriginal(
  mask: ColumnMask,
  stream: Int32Array,
  attempt: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): unknown {
  const { integers, originalAttempts } = mask;
  if (originalAttempts?.isNumbered === true) return generateByNumber(mask, stream);
  const number = originalAttempts === undefined ? attempt : originalAttempts.of(stream) + attempt;
  const value = generateValue(mask, stream, number, NO_BINDINGS);
  if (integers === undefined || number > 0 || value === null) return value;
  const { canonical } = mask.column;
  const integer = readInteger(bytes, start, canonicalEnd(canonical, bytes, start, end));
  return integers.has(integer) ? integers.of(integer) : value;
}

function generateByNumber(mask: ColumnMask, stream: Int32Array): unknown {
  const { originalAttempts, column } = mask;
  const number = originalAttempts?.of(stream) ?? -1;
  if (number === -1) {
    throw new MaskingError('generation_failed', column.name, 'a row references a key that does not exist');
  }
  const value = generateValue(mask, stream, 0, NO_BINDINGS, number);
  const numbered = originalAttempts?.numbered;
  return value === null || numbered === undefined ? value : numbered.values.at(numbered.order.of(number));
}

const scratch = new ByteSink(256);

/**
 * Hashes an original value. Texts that mean the same value, such as 5 and 5.0, have the same hash.
 * @param out receives three 32-bit words
 */
export function originalStream(
  { originalKey, originalClasses, column: { canonical }, key }: ColumnMask,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Int32Array,
): void {
  const trimmedEnd = canonicalEnd(canonical, bytes, start, end);
  if (originalClasses?.find(bytes, start, trimmedEnd, out) === true) return;
  if (!isFolded(canonical)) {
    sipHash128(originalKey ?? key, bytes, start, trimmedEnd, out);
    return;
  }
  scratch.length = 0;
  writeCanonical(scratch, canonical, bytes, start, end);
  sipHash128(originalKey ?? key, scratch.bytes, 0, scratch.length, out);
}

/**
 * Returns the text of a value for its column, or null for NULL. Cuts a text that is too long for the column,
 * and then calls `onCut`.
 */
export function textOf(
  { column }: ColumnMask,
  value: unknown,
  onCut?: (column: string) => void,
): string | null {
  const text = textForm(value);
  if (text === null || column.maxLength === undefined || text.length <= column.maxLength) return text;
  const cut = cutToLength(text, column.maxLength);
  if (cut.length < text.length) onCut?.(column.name);
  return cut;
}
