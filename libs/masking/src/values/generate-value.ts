import { ByteSink } from '@understudy/bytes';
import type { SlotTexts } from '@understudy/generator';
import { sipHash128 } from '@understudy/random';
import { canonicalEnd, readInteger, writeCanonical } from './canonical-value.js';
import type { ColumnMask } from '../compile/column-mask.js';
import { cutToLength, textForm } from './text-form.js';
import { MaskingError } from '../compile/masking-errors.js';

/** Draws of one cell before giving up on a value that is not the old one, or not there yet. */
export const MAX_ATTEMPTS = 200;

/**
 * @param stream three words of the row's hash, or the original value's
 * @param index the row's number
 * @throws MaskingError generation_failed
 */
export function generateValue(
  { plan, key, column, uses96Bits }: ColumnMask,
  stream: Int32Array,
  attempt: number,
  bindings: readonly unknown[],
  index = 0,
): unknown {
  // The third word moves the attempts, of which a stream has 2^32: the stream is then a function of 96 bits.
  const from = uses96Bits === true ? (stream[2] as number) : 0;
  try {
    return plan.value(key, stream[0] as number, stream[1] as number, (from + attempt) | 0, bindings, index);
  } catch (error) {
    throw new MaskingError('generation_failed', column.name, 'the rule failed on a row', { cause: error });
  }
}

/**
 * Appends the text of the value that {@link generateValue} gives.
 * @returns false where only that tells; then what was appended is to be taken off again
 * @throws MaskingError generation_failed
 */
export function writeGenerated(
  { plan, key, column, uses96Bits }: ColumnMask,
  stream: Int32Array,
  attempt: number,
  texts: SlotTexts,
  out: ByteSink,
): boolean {
  if (plan.write === undefined) return false;
  const from = uses96Bits === true ? (stream[2] as number) : 0;
  try {
    return plan.write(key, stream[0] as number, stream[1] as number, (from + attempt) | 0, texts, out);
  } catch (error) {
    throw new MaskingError('generation_failed', column.name, 'the rule failed on a row', { cause: error });
  }
}

const NO_BINDINGS: readonly unknown[] = [];

/**
 * The value of an original, of a mask by originals, drawn for the `attempt`-th time.
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
  const draw = originalAttempts === undefined ? attempt : originalAttempts.of(stream) + attempt;
  const value = generateValue(mask, stream, draw, NO_BINDINGS);
  if (integers === undefined || draw > 0 || value === null) return value;
  const { canonical } = mask.column;
  const integer = readInteger(bytes, start, canonicalEnd(canonical, bytes, start, end));
  return integers.has(integer) ? integers.of(integer) : value;
}

function generateByNumber(mask: ColumnMask, stream: Int32Array): unknown {
  const { originalAttempts, column } = mask;
  const number = originalAttempts?.of(stream) ?? -1;
  if (number === -1) {
    throw new MaskingError('generation_failed', column.name, 'a reference to a key that does not exist');
  }
  const value = generateValue(mask, stream, 0, NO_BINDINGS, number);
  const numbered = originalAttempts?.numbered;
  return value === null || numbered === undefined ? value : numbered.values.at(numbered.order.of(number));
}

const scratch = new ByteSink(256);

/**
 * What tells an original from others: the hash of its value, whatever its text.
 * @param out three words
 */
export function originalStream(
  { originalKey, column: { canonical }, key }: ColumnMask,
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Int32Array,
): void {
  if (canonical !== 'folded') {
    sipHash128(originalKey ?? key, bytes, start, canonicalEnd(canonical, bytes, start, end), out);
    return;
  }
  scratch.length = 0;
  writeCanonical(scratch, canonical, bytes, start, end);
  sipHash128(originalKey ?? key, scratch.bytes, 0, scratch.length, out);
}

/** The text of a value as its column takes it, null for NULL; `onCut` is told of one that is too long. */
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
