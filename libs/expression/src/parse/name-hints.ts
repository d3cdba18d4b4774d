import { codePointSlice } from '../code-points.js';
import { nearestName } from './nearest-name.js';
import { writeName } from './plain-name.js';

const LONGEST_SHOWN = 64;

const WORDS = /^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd}\p{So}$ .]*$/u;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A name that a source holds, for a message: what does not look like a name is not repeated, and long ones are cut. */
export function shownName(name: string): string {
  const written = writeName(name);
  const isLong = name.length > LONGEST_SHOWN;
  if (written === name) return isLong ? `"${codePointSlice(name, 0, LONGEST_SHOWN)}…"` : `"${name}"`;
  return isLong || !WORDS.test(name) ? `of ${name.length} characters in back-quotes` : written;
}

/** `; did you mean …?` or nothing, to end the message about an unknown name or function with. */
export function nameHint(name: string, known: Iterable<string>): string {
  const nearest = name.length > LONGEST_SHOWN ? undefined : nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${suggested(nearest)}?`;
}

/**
 * Like `nameHint`, where a known name stands in the source around `position` but lacks the back-quotes it needs: in
 * `first-name` the grammar sees a subtraction.
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

/** A known name, to be copied into the source. */
function suggested(name: string): string {
  const written = writeName(name);
  return written === name ? `"${name}"` : written.replace(UNPRINTABLE, '\ufffd');
}
