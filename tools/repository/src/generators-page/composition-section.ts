import { DEFAULT_VERSION } from '@understudy/generator';
import { block, json, valuesBlock } from './markdown.js';
import { sampleRecords, sampleValues } from './sample-values.js';
import { BADGE, INLINE, REGISTERED, STAFF } from './worked-examples.js';

/** Builds the section on compositions, with values of each worked example. */
export function compositionSection(): string {
  return `## Compositions

A composition is a generator that combines other generators. List its named steps in \`let\`, in any order. A step is any
generator, including another composition. Steps may use each other, but not in a cycle.

A composition has exactly one of these output forms:

${INLINE.map(([title, definition]) => `${title}\n\n${json(definition)}\n\n${valuesBlock(sampleValues(definition, 4))}`).join('\n\n')}

A composition inside a schema, like those above, can also use the generators around it.

### Registered compositions

Register a composition to use it by name in many schemas. It sees only its own params and steps, and Understudy checks
the params at every use. To register one, send it as the body of \`POST /v1/generators\`, with the role member or a
higher one. A program that uses the library calls \`defineComposition\` instead.

${json(BADGE)}

Understudy checks every name in a composition when you register it. If a name is unknown, the error suggests the
nearest known name.

- Each param has a \`type\`: string, integer, number, boolean, array, object or any.
- A param may be \`required\` or have a \`default\`. It may have a \`description\`.
- The default of \`version\` is ${DEFAULT_VERSION}.

A composition can use other registered compositions:

${json(STAFF)}

This schema uses both:

${json(REGISTERED)}

Its first records are:

${block('text', sampleRecords(REGISTERED, 3, [BADGE, STAFF]))}`;
}
