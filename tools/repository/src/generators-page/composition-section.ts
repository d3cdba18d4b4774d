import { DEFAULT_VERSION } from '@understudy/generator';
import { block, json, valuesBlock } from './markdown.js';
import { sampleRecords, sampleValues } from './sample-values.js';
import { BADGE, INLINE, REGISTERED, STAFF } from './worked-examples.js';

export function compositionSection(): string {
  return `## Compositions

A composition is a generator made of others. Its named steps stand in \`let\`, in any order; they see each other, and a
circle is refused. A step is any generator, also another composition. It has exactly one output form:

${INLINE.map(([title, definition]) => `${title}\n\n${json(definition)}\n\n${valuesBlock(sampleValues(definition, 4))}`).join('\n\n')}

Written inside a schema, as above, a composition also sees the names of the generators around it. A **registered** one is known by name, sees its params
and steps alone, and has its params checked at every use. Register it with
\`POST /v1/generators\`, whose body it is (role member), or in a program that uses the library with \`defineComposition\`:

${json(BADGE)}

Every name in it is checked then: a misspelt one is refused with the nearest that exists. Each param has a \`type\` (string,
integer, number, boolean, array, object, any), and may be \`required\` or have a \`default\`, and a \`description\`. Without a \`version\` it has
${DEFAULT_VERSION}. Compositions use each other:

${json(STAFF)}

${json(REGISTERED)}

${block('text', sampleRecords(REGISTERED, 3, [BADGE, STAFF]))}`;
}
