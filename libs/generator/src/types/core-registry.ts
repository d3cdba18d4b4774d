import { Registry } from '../registry/registry.js';
import { listType } from './list/list.js';
import { modelType } from './model/model.js';
import { statisticalType } from './statistical/statistical.js';
import { eventSequenceType } from './event-sequence/event-sequence.js';
import { SVC_TYPES } from './svc/svc-types.js';
import { rootKey, type Key } from '@understudy/random';

/** The generators that come with the library. */
export const CORE_REGISTRY = Registry.EMPTY.with(
  ...SVC_TYPES,
  listType,
  modelType,
  statisticalType,
  eventSequenceType,
);

/**
 * A whole number that is raised when a golden value or a built-in model changes: the same version, definition and seed
 * give the same bytes. `npm run check` compares the values with those that `engine-version.json` records.
 */
export const ENGINE_VERSION = '2';

/** Not the version: a new version changes only the values of what changed (ADR 54). */
const STREAMS = '1';

/** The key that all streams of a seed descend from. @param seed a safe integer */
export function seedKey(seed: number): Key {
  return rootKey(STREAMS, seed);
}
