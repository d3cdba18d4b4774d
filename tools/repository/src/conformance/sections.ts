import type { Section } from './row.js';
import { COMPOSITIONS } from './sections/compositions.js';
import { ENDPOINTS } from './sections/endpoints.js';
import { GENERATORS } from './sections/generators.js';
import { RESOURCES } from './sections/resources.js';
import { RULES } from './sections/rules.js';
import { SAMPLERS } from './sections/samplers.js';

/** In the order of the reference. */
export const SECTIONS: readonly Section[] = [
  ...RESOURCES,
  ...GENERATORS,
  ...SAMPLERS,
  ...COMPOSITIONS,
  ...ENDPOINTS,
  ...RULES,
];
