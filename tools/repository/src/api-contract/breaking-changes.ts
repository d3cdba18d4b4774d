import type { ApiContract, Term, Terms } from './api-contract.js';

/**
 * What a client of `old` may meet in `now` that it could not before, a sentence each; empty when all that changed was added. New operations, new
 * fields and new words of an answer's enum are additions; so is an answer's text that was one of a few.
 */
export function breakingChanges(old: ApiContract, now: ApiContract): string[] {
  return [...breaksOfRequests(old.takes, now.takes), ...breaksOfAnswers(old.answers, now.answers)];
}

function* breaksOfRequests(old: Terms, now: Terms): Generator<string> {
  for (const [place, was] of Object.entries(old)) {
    const is = now[place];
    if (is === undefined) {
      yield `${place} is not taken any more`;
      continue;
    }
    const refused = lacking(is, was);
    if (refused.length > 0) yield `${place} does not take ${refused.join(', ')} any more`;
    if (is.required && !was.required) yield `${place} must be given now`;
  }
  for (const [place, { required, within = '' }] of Object.entries(now))
    if (required && old[place] === undefined && old[within] !== undefined)
      yield `${place} is new and must be given`;
}

function* breaksOfAnswers(old: Terms, now: Terms): Generator<string> {
  for (const [place, was] of Object.entries(old)) {
    const is = now[place];
    if (is === undefined) {
      yield `${place} is not answered any more`;
      continue;
    }
    const unknown = lacking(was, is);
    if (unknown.length > 0) yield `${place} may be ${unknown.join(', ')} now`;
    if (was.required && !is.required) yield `${place} may be missing now`;
  }
}

/** Types of `wanted` that `term` does not have. */
function lacking(term: Term, wanted: Term): string[] {
  const { types } = term;
  if (types.includes('any')) return [];
  return wanted.types.filter((type) => !types.includes(type) && !types.includes(isWider(type)));
}

/** The type that a value or a narrower type is of. */
function isWider(type: string): string {
  if (type === 'integer') return 'number';
  return type.startsWith('"') ? 'string' : '';
}
