import { Registry } from './registry/registry.js';
import { listType } from './types/list.js';
import { modelType } from './types/model.js';
import { statisticalType } from './types/statistical/statistical.js';
import { eventSequenceType } from './types/event-sequence/event-sequence.js';
import { SVC_TYPES } from './types/svc/svc-types.js';

/** The generators that come with the library. */
export const CORE_REGISTRY = Registry.EMPTY.with(
  ...SVC_TYPES,
  listType,
  modelType,
  statisticalType,
  eventSequenceType,
);
