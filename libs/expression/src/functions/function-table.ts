import { COLLECTION_FUNCTIONS } from './collection-functions.js';
import { DATE_FUNCTIONS } from './date-functions.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { TEXT_FUNCTIONS } from './text-functions.js';
import type { ExpressionFunction } from './expression-function.js';
import { pick } from './collection-functions.js';
import { uuidV4 } from '@understudy/random';

/** Every function an expression can call. Closed: users add none. */
export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map<string, ExpressionFunction>([
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...COLLECTION_FUNCTIONS,
  ['if', { kind: 'if', min: 2, max: 3 }],
  ['coalesce', { kind: 'coalesce', min: 1, max: 100 }],
  ['uuid', { kind: 'random', min: 0, max: 0, call: (random) => uuidV4(random) }],
  ['pick', { kind: 'random', min: 1, max: 100, call: pick }],
]);
