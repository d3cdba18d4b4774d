import { codePointSlice } from '../code-points.js';
import { nearestName } from './nearest-name.js';
import { writeName } from './plain-name.js';

const LONGEST_SHOWN = 64;

const WORDS = /^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd}\p{So}$ .]*$/u;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Formats a name from the source for a message. Truncates a long name that needs no back-quotes. For a name
 * that needs back-quotes and is long or contains unusual characters, states only its length.
 */
export function shownName(name: string): string {
  const written = writeName(name);
  const isLong = name.length > LONGEST_SHOWN;
  if (written === name) return isLong ? `"${codePointSlice(name, 0, LONGEST_SHOWN)}…"` : `"${name}"`;
  return isLong || !WORDS.test(name) ? `of ${name.length} characters in back-quotes` : written;
}

/**
 * Returns `; did you mean …?` or an empty text, as the end of a message about an unknown name or function.
 */
export function nameHint(name: string, known: Iterable<string>): string {
  const nearest = name.length > LONGEST_SHOWN ? undefined : nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${suggested(nearest)}?`;
}

/**
 * Returns a hint in the form of `nameHint` if the source around `position` contains a known name without the
 * back-quotes that it needs. For example, the grammar reads `first-name` as a subtraction.
 */
export function unquotedNameHint(source: string, position: number, known: Iterable<string>): string {
  const start = Math.max(0, position - LONGEST_SHOWN);
  const around = source.slice(start, position + LONGEST_SHOWN);
  let longest = '';
  for (const name of known) {
    if (name.length <= longest.length || name.length > LONGEST_SHOWN || writeName(name) === name) continue;
    const at = around.indexOf(name, position - start - name.length + 1);
    if (at >= 0 && start + at <= position) longest = name;
  }
  return longest === '' ? '' : `; did you mean ${suggested(longest)}?`;
}

/** Formats a known name so that it can be copied into the source. */
function suggested(name: string): string {
  const written = writeName(name);
  return written === name ? `"${name}"` : written.replace(UNPRINTABLE, '\ufffd');
}
