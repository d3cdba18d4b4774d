import type { FieldProblem } from '../../platform/http/errors/api-error.js';
import type { ResponseFormat } from './response-format.js';

/**
 * The maximum length of the header that lists the warnings. Proxies may refuse longer headers. The header
 * `X-Generation-Warnings` counts all warnings, including the omitted ones.
 */
const MAX_HEADER_BYTES = 4_096;

/**
 * Returns the header that lists the warnings, for a response whose format has no `meta`. Its value is an ASCII
 * JSON array of `{field, message}` with the first warnings that fit into 4 KiB. Returns no header if there are
 * no warnings.
 */
export function warningDetails(
  format: ResponseFormat,
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
