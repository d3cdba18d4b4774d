import { EvaluationError } from './errors.js';
import { LIMITS } from './limits.js';

/**
 * A value as text in a template: null is empty, a number is its shortest decimal form, an array or object is JSON.
 * @throws EvaluationError past 64 KiB
 */
export function renderText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') {
    const writer = new JsonText();
    writer.write(value);
    return writer.text;
  }
  return String(value);
}

/** The text itself. @throws EvaluationError when it is longer than 64 KiB as UTF-8 */
export function withinTextLimit(text: string): string {
  // A UTF-16 unit is at most three bytes of UTF-8: most texts need no counting.
  if (text.length * 3 > LIMITS.textBytes && utf8Length(text) > LIMITS.textBytes) throw tooLong();
  return text;
}

export function tooLong(): EvaluationError {
  return new EvaluationError(`a text would be longer than ${LIMITS.textBytes} bytes`, true);
}

export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    // Each half of a surrogate pair counts two: four bytes the pair.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}

/** Writes JSON and stops at the limit: shared parts of a value may make its text exponentially long. */
class JsonText {
  text = '';

  write(value: unknown): void {
    if (this.text.length > LIMITS.textBytes) throw tooLong();
    if (Array.isArray(value)) {
      this.text += '[';
      value.forEach((item: unknown, i) => {
        if (i > 0) this.text += ',';
        this.write(item);
      });
      this.text += ']';
    } else if (typeof value === 'object' && value !== null) {
      this.text += '{';
      Object.entries(value).forEach(([key, item], i) => {
        this.text += `${i > 0 ? ',' : ''}${JSON.stringify(key)}:`;
        this.write(item);
      });
      this.text += '}';
    } else {
      this.text += typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null);
    }
  }
}
