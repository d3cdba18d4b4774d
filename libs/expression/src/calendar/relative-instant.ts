import { DAY_MS } from './civil-date.js';
import { addUnits, unitNamed } from './duration.js';
import { EARLIEST_MS, LATEST_MS, parseInstant } from './instant.js';

const RELATIVE = /^(now|today)?((?:\s*[+-]\s*\d{1,9}(?:\.\d{1,3})?\s*[a-z]+)*)$/i;
const STEP = /([+-])\s*(\d+(?:\.\d+)?)\s*([a-z]+)/gi;

const AMBIGUOUS_STEP = /\d\s*M(?![A-Za-z])/;

/** Returns whether a relative instant uses `M`, which is a month in some languages and a minute in others. */
export function hasAmbiguousUnit(text: string): boolean {
  return RELATIVE.test(text.trim()) && AMBIGUOUS_STEP.test(text);
}

/**
 * Parses a text that `parseInstant` accepts, or an instant relative to `nowMs`: `now`, `today`, `-1year`,
 * `now+7days`. Returns milliseconds since 1970.
 * @returns undefined for any other text
 */
export function resolveInstant(text: string, nowMs: number): number | undefined {
  const trimmed = text.trim();
  const match = RELATIVE.exec(trimmed);
  if (match === null || trimmed === '') return parseInstant(trimmed);
  const today = match[1]?.toLowerCase() === 'today';
  let ms = today ? Math.floor(nowMs / DAY_MS) * DAY_MS : nowMs;
  for (const [, sign, amount, name] of (match[2] ?? '').matchAll(STEP)) {
    const unit = unitNamed(name ?? '');
    if (unit === undefined) return undefined;
    ms = addUnits(ms, Number(amount) * (sign === '-' ? -1 : 1), unit);
    if (!(ms >= EARLIEST_MS && ms <= LATEST_MS)) return undefined;
  }
  return ms;
}
