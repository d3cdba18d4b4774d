import type { FieldProblem } from '../http/errors/api-error.js';
import type { AnswerFormat } from './answer-format.js';

/** A proxy may refuse longer headers; `X-Generation-Warnings` counts those that are left out. */
const MAX_HEADER_BYTES = 4_096;

/**
 * The warnings of a format without `meta`, as a header: a JSON array of `{field, message}` in ASCII, the first ones that
 * fit into 4 KiB. No header without a warning.
 */
export function warningDetails(
  format: AnswerFormat,
  warnings: readonly FieldProblem[],
): Readonly<Record<string, string>> {
  if (format === 'json') return {};
  const shown: string[] = [];
  let bytes = 2;
  for (const warning of warnings) {
    const text = ascii(JSON.stringify(warning));
    bytes += text.length + 1;
    if (bytes > MAX_HEADER_BYTES) break;
    shown.push(text);
  }
  return shown.length === 0 ? {} : { 'x-generation-warning-details': `[${shown.join(',')}]` };
}

function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
