import { EvaluationError } from '../errors.js';
import { LIMITS } from '../limits.js';
import { decimalText, hasMembers, isExactDecimal } from './exact-decimal.js';
import { ownValue, tooDeep } from './value-size.js';

/**
 * Converts a value to text as in a template: null is empty, a number has its shortest decimal form, an array
 * or object is JSON.
 * @throws EvaluationError if the text exceeds 64 KiB, or if arrays and objects are nested more than 256
 * levels deep
 */
export function renderText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (hasMembers(value)) {
    const writer = new JsonText();
    writer.write(value, 1);
    return writer.text;
  }
  return isExactDecimal(value) ? decimalText(value) : String(value);
}

/** Returns the text itself. @throws EvaluationError if it is longer than 64 KiB as UTF-8 */
export function withinTextLimit(text: string): string {
  // A UTF-16 unit has at most three bytes of UTF-8, so most texts need not be counted.
  if (text.length * 3 <= LIMITS.textBytes) return text;
  if (text.length > LIMITS.textBytes || utf8Length(text) > LIMITS.textBytes) throw tooLong();
  return text;
}

export function tooLong(): EvaluationError {
  return new EvaluationError(`a text would be longer than ${LIMITS.textBytes} bytes`, true);
}

export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair counts as two bytes, because the pair has four.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}

/**
 * Writes JSON and stops at the limit. Without a limit, the text of a small value could be exponentially long,
 * because JSON repeats an array or object for every reference to it.
 */
class JsonText {
  text = '';

  write(value: unknown, depth: number): void {
    if (this.text.length > LIMITS.textBytes) throw tooLong();
    if (!hasMembers(value)) {
      this.text += scalar(value);
    } else if (depth > LIMITS.valueDepth) {
      throw tooDeep();
    } else if (Array.isArray(value)) {
      this.array(value, depth);
    } else {
      this.object(value, depth);
    }
  }

  private array(items: readonly unknown[], depth: number): void {
    this.text += '[';
    for (let i = 0; i < items.length; i += 1) {
      if (i > 0) this.text += ',';
      this.write(items[i], depth + 1);
    }
    this.text += ']';
  }

  private object(object: object, depth: number): void {
    this.text += '{';
    Object.keys(object).forEach((key, i) => {
      this.text += `${i > 0 ? ',' : ''}${JSON.stringify(key)}:`;
      this.write(ownValue(object, key), depth + 1);
    });
    this.text += '}';
  }
}

function scalar(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (isExactDecimal(value)) return decimalText(value);
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
}
