import { fieldPath } from '@understudy/sync-job';

import type { FieldProblem } from '../errors/api-error.js';

/**
 * Finds strings and keys that PostgreSQL's text and jsonb types cannot store: U+0000 and unpaired surrogates.
 * Recursion is safe, because the JSON parser limits the depth of `value`.
 */
export function unstorableText(value: unknown): FieldProblem[] {
  return isStorable(value) ? [] : problemsIn(value, '');
}

/** Checks a value without its paths, because a large body is usually storable. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value)
    if (Object.hasOwn(value, key) && !(isStorableText(key) && isStorable(Reflect.get(value, key))))
      return false;
  return true;
}

function problemsIn(value: unknown, path: string): FieldProblem[] {
  if (typeof value === 'string')
    return isStorableText(value) ? [] : [{ field: path || 'body', message: MESSAGE }];
  if (Array.isArray(value)) return value.flatMap((item, index) => problemsIn(item, fieldPath(path, index)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    isStorableText(key)
      ? problemsIn(item, fieldPath(path, key))
      : [{ field: path || 'body', message: `a key of this object: ${MESSAGE}` }],
  );
}

const MESSAGE = 'expected Unicode text without U+0000 and without unpaired surrogates';

// The lookarounds match a surrogate without its partner.
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text);
}
