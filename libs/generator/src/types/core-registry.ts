import { Registry } from '../registry/registry.js';
import { listType } from './list/list.js';
import { modelType } from './model/model.js';
import { statisticalType } from './statistical/statistical.js';
import { eventSequenceType } from './event-sequence/event-sequence.js';
import { SVC_TYPES } from './svc/svc-types.js';
import { rootKey, type Key } from '@understudy/random';

/** The generators of this library. */
export const CORE_REGISTRY = Registry.EMPTY.with(
  ...SVC_TYPES,
  listType,
  modelType,
  statisticalType,
  eventSequenceType,
);

/**
 * The version of the generated values. The same version, definition and seed always give the same bytes.
 * Raise this whole number when a golden value or a built-in model changes. `npm run check` compares the
 * values with those in `engine-version.json`.
 */
export const ENGINE_VERSION = '5';

/**
 * The `purpose` of the root key from which all stream keys are derived. It is separate from `ENGINE_VERSION`.
 * Otherwise a new engine version would change the values of all generators (ADR 54).
 */
const STREAMS = '1';

/** Returns the key from which all streams of a seed are derived. @param seed a safe integer */
export function seedKey(seed: number): Key {
  return rootKey(STREAMS, seed);
}
