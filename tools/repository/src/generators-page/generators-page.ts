import {
  AUTHORED_TYPES,
  BUDGETS,
  CORE_REGISTRY,
  ENGINE_VERSION,
  SVC_TYPE_NAMES,
} from '@understudy/generator';
import { compositionSection } from './composition-section.js';
import { expressionSection } from './expression-section.js';
import { generatorSection, shortened, shortName } from './generator-section.js';
import { anchor, block, code, json, table } from './markdown.js';
import { SAMPLE_ASSETS, SAMPLE_NOW, SAMPLE_SEED, sampleRecords, sampleValues } from './sample-values.js';
import { DICE, MODIFIERS, PEOPLE, THREADED } from './worked-examples.js';
import type { Page } from '../pages/page.js';

export const GENERATORS_PAGE: Page = { path: 'docs/reference/generators.md', text: generatorsPage };

/**
 * Builds the unformatted text of docs/reference/generators.md. The generators that the page describes also
 * generate its sample values.
 */
export function generatorsPage(): string {
  const generators = CORE_REGISTRY.all();
  return `# Generators

<!-- Written by \`npm run generate\` from libs/generator and libs/expression. Do not edit. -->

Generators produce values, such as names, dates and identifiers. Look up here how to define them and which ones exist.

A schema names its generators in \`generators\`. Its \`output\` lists those that become fields of a record, in order.
A generator may use the values of any other generator:

${json(PEOPLE)}

The first four records are:

${block('text', sampleRecords(PEOPLE, 4))}

You can use generators in four places:

- \`POST /v1/generate\` takes a schema in the field \`schema\`, in addition to \`count\` and \`seed\`.
- A [column rule](../guides/column-rules.md) of a sync job is the definition of one generator.
- The playground of the dashboard shows the records of a schema while you write it.
- Programs use the library \`@understudy/generator\`.

All samples on this page have the seed ${SAMPLE_SEED} and the reference instant (\`now\`) ${SAMPLE_NOW}.

- ${['How a definition is written', 'Modifiers', 'Compositions', 'Generators by name', 'Expressions', 'Repeatability', 'Errors and limits'].map((heading) => `[${heading}](${anchor(heading)})`).join('\n- ')}

## How a definition is written

You can write a definition in two forms, which have the same effect:

- With \`type\`. The keys of the type are at the top level: \`{ "type": "list", "values": [1, 2] }\`.
- With \`use\`, the registered name of a generator, and \`params\`:
  \`{ "use": "@svc/core:list", "params": { "values": [1, 2] } }\`. Generators that you register have only this form.

In both forms, \`constraints\`, the [modifiers](${anchor('Modifiers')}) and a \`description\` are further keys of the
definition. This table shows the equivalent forms:

${table(
  ['`type`', 'keys', '`use`', '`params`'],
  [
    [
      SVC_TYPE_NAMES.map(code).join(', '),
      '`algorithm`, `params`',
      '`@svc/core:logic.<algorithm>`',
      'the value of `params`',
    ],
    ...[...AUTHORED_TYPES].map(([type, { use, keys }]) => [
      code(type),
      keys.map(code).join(', '),
      code(use),
      'the same keys',
    ]),
  ],
)}

The types \`template\` and \`linked\` no longer exist. Use a [composition](${anchor('Compositions')}) or a
[list](${anchor('list')}) with an asset instead.

### Templates in params

Texts in params are templates. An [expression](${anchor('Expressions')}) between \`{{\` and \`}}\` can use other
generators. In this example, \`towns\` is the asset
${code(JSON.stringify(SAMPLE_ASSETS['towns']))}:

${json(THREADED)}

${block('text', sampleRecords(THREADED, 4))}

The service has the [built-in lists](models.md) as assets, for example \`en_US/cities_by_state\`. A program that uses the
library provides its own assets.

A text is not converted to a number: \`"min": "5"\` is refused, but \`"min": "{{5}}"\` is the number 5.

## Modifiers

Modifiers are top-level keys of any definition. They apply in this order: \`transform\`, \`unique\`, \`nullable\`.

${table(
  ['modifier', 'value', 'effect'],
  [
    [
      '`transform`',
      'expression',
      'Replaces each value by the result of the expression, in which `value` is the original value.',
    ],
    ['`unique`', 'boolean', 'If true, no value occurs twice in a run. Nulls may repeat.'],
    [
      '`nullable`',
      'boolean or number',
      'The probability of null, from 0 to 1. `true` means 0.1. Other values stay the same.',
    ],
  ],
)}

If a \`unique\` value has occurred before, Understudy generates another one, up to ${BUDGETS.uniqueRetries} times. If it finds no new
value, the run fails. A range of numbers, dates or times never runs out before its last value, also with a \`transform\` that keeps different values different.
If a generator cannot have enough different values, the run fails before it starts. If values may run out, the run starts
with a warning.

This table shows the effect of each modifier on ${code(JSON.stringify(DICE))}:

${table(
  ['modifier', 'first six values'],
  MODIFIERS.map((modifiers) => [
    Object.keys(modifiers).length === 0 ? 'none' : code(JSON.stringify(modifiers).slice(1, -1)),
    code(sampleValues({ ...DICE, ...modifiers }, 6).replaceAll('\n', ' ')),
  ]),
)}

${compositionSection()}

## Generators by name

${table(
  ['generator', 'result', 'description'],
  generators.map((type) => [
    `[${shortName(type)}](${anchor(shortName(type))})`,
    type.output,
    shortened(type.description).summary,
  ]),
)}

${generators.map(generatorSection).join('\n\n')}

${expressionSection()}

## Repeatability

The same schema, seed, \`now\` and engine version (${code(ENGINE_VERSION)}) produce the same bytes on every machine. A value
depends on the seed, the name of its generator and the number of its row. Other generators, the number of rows and the
number of worker threads do not change it.

There are two exceptions: a \`unique\` value also depends on the rows before it, and a generator that uses other
generators depends on their values.

## Errors and limits

| error | cause |
| --- | --- |
| \`validation_error\` | The definition is invalid. The error lists each problem with its JSON path, before the first row. |
| \`generation_failed\` | A row cannot be generated, for example because a templated \`min\` is above \`max\`. |
| \`limit_exceeded\` | The request exceeds a limit. |

A \`generation_failed\` error has the path of the generator. These are the most important limits:

${table(
  ['what is limited', 'at most'],
  (
    [
      ['Generators in a schema, including those inside compositions', BUDGETS.generators],
      ['Levels of nested generators', BUDGETS.generatorDepth],
      ['Levels of nested JSON', BUDGETS.jsonDepth],
      ['Values in a record', BUDGETS.leafValuesPerRecord],
      ['Values in a request', BUDGETS.leafValuesPerRequest],
      ['List elements that `where` checks in a request', BUDGETS.candidatesPerRequest],
      ['Characters in a record', BUDGETS.textPerRecord],
      ['Retries to meet the constraints on a composition', BUDGETS.constraintRetries],
      ['Params of a composition', BUDGETS.compositionParams],
      ['Problems that one error lists', BUDGETS.problems],
    ] as const
  ).map(([what, limit]) => [what, limit.toLocaleString('en-US')]),
)}
`;
}
