import type { Requirement, Section } from './requirement.js';
import { DEFINITIONS } from './sections/definitions.js';
import { ENDPOINTS } from './sections/endpoints.js';
import { RESOURCES } from './sections/resources.js';
import { RULES } from './sections/rules.js';

/** In the order of the reference. */
export const SECTIONS: readonly Section[] = [...RESOURCES, ...DEFINITIONS, ...ENDPOINTS, ...RULES];

/** By id: `4.2.3` is the third of section 4.2. */
export const REQUIREMENTS: ReadonlyMap<string, Requirement> = new Map(
  SECTIONS.flatMap(({ number, requirements }) =>
    Object.entries(requirements).map(([n, requirement]) => [`${number}.${n}`, requirement] as const),
  ),
);
