import type { ApiContract, Term, Terms } from './api-contract.js';

/**
 * Lists the changes from `old` to `current` that can break a client of `old`, in one sentence each. The list
 * does not include new operations, new optional request fields or new response fields. In a response, new
 * values of an enum and the replacement of an enum by `string` are not listed either.
 */
export function breakingChanges(old: ApiContract, current: ApiContract): string[] {
  return [...breaksOfRequests(old.takes, current.takes), ...breaksOfResponses(old.answers, current.answers)];
}

function* breaksOfRequests(old: Terms, current: Terms): Generator<string> {
  for (const [location, before] of Object.entries(old)) {
    const after = current[location];
    if (after === undefined) {
      yield `${location} is no longer accepted`;
      continue;
    }
    const refused = missingTypes(after, before);
    if (refused.length > 0) yield `${location} no longer accepts ${refused.join(', ')}`;
    if (after.required && !before.required) yield `${location} is now required`;
  }
  for (const [location, { required, within = '' }] of Object.entries(current))
    if (required && old[location] === undefined && old[within] !== undefined)
      yield `${location} is new and required`;
}

function* breaksOfResponses(old: Terms, current: Terms): Generator<string> {
  for (const [location, before] of Object.entries(old)) {
    const after = current[location];
    if (after === undefined) {
      yield `${location} is no longer returned`;
      continue;
    }
    const added = missingTypes(before, after);
    if (added.length > 0) yield `${location} may now be ${added.join(', ')}`;
    if (before.required && !after.required) yield `${location} may now be missing`;
  }
}

/**
 * Returns the types of `wanted` that `term` does not include. `number` includes `integer`, and `string`
 * includes every literal string.
 */
function missingTypes(term: Term, wanted: Term): string[] {
  const { types } = term;
  if (types.includes('any')) return [];
  return wanted.types.filter((type) => !types.includes(type) && !types.includes(widerType(type)));
}

/** Returns `number` for `integer`, `string` for a literal string, and an empty text for other types. */
function widerType(type: string): string {
  if (type === 'integer') return 'number';
  return type.startsWith('"') ? 'string' : '';
}
