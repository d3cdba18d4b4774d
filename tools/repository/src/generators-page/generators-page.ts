import {
  AUTHORED_TYPES,
  BUDGETS,
  CORE_REGISTRY,
  ENGINE_VERSION,
  SVC_TYPE_NAMES,
} from '@understudy/generator';
import { compositionSection } from './composition-section.js';
import { expressionSection } from './expression-section.js';
import { generatorSection, shortName } from './generator-section.js';
import { anchor, block, code, json, table } from './markdown.js';
import { SAMPLE_ASSETS, SAMPLE_NOW, SAMPLE_SEED, sampleRecords, sampleValues } from './sample-values.js';
import { DICE, MODIFIERS, PEOPLE, THREADED } from './worked-examples.js';

/** docs/generators.md, before it is formatted. Every sample on it was made by the code it describes. */
export function generatorsPage(): string {
  const generators = CORE_REGISTRY.all();
  return `# Generators

<!-- Written by \`npm run generate\` from the registry (libs/generator) and the function table (libs/expression). Do not edit. -->

A schema names generators and says which of them a record shows, in which order. Generators may use each other's
values, in any order.

${json(PEOPLE)}

gives, line by line,

${block('text', sampleRecords(PEOPLE, 4))}

\`POST /v1/generate\` takes it as \`schema\`, beside \`count\` and \`seed\`. One generator's definition is a
column rule of a sync job. The library behind both is \`@understudy/generator\`. Samples on this page are of seed ${SAMPLE_SEED}, with \`now\` at ${SAMPLE_NOW}.

- ${['How a definition is written', 'Modifiers', 'Compositions', 'Generators by name', 'Expressions', 'Repeatability', 'Errors and limits'].map((heading) => `[${heading}](${anchor(heading)})`).join('\n- ')}

## How a definition is written

Every generator runs as \`{ use, params, constraints }\` with modifiers. It is written in one of two forms, which are the same:
by \`type\`, or by \`use\` with the registered name, which is the only form for the generators that you register.

${table(
  ['`type`', 'keys', 'is `use`', 'with `params` of'],
  [
    [
      SVC_TYPE_NAMES.map(code).join(', '),
      '`algorithm`, `params`',
      '`@svc/core:logic.<algorithm>`',
      '`params` as they are',
    ],
    ...[...AUTHORED_TYPES].map(([type, { use, keys }]) => [
      code(type),
      keys.map(code).join(', '),
      code(use),
      'these keys',
    ]),
  ],
)}

\`constraints\` and the modifiers stand beside them in both forms; so may a \`description\`. The types \`template\` and \`linked\` are gone: write a
[composition](${anchor('Compositions')}), or a [list](${anchor('list')}) over an asset.

Texts in params are templates: \`{{ }}\` holds an [expression](${anchor('Expressions')}) over the other generators. Here \`towns\` is the name of an asset,
${code(JSON.stringify(SAMPLE_ASSETS['towns']))}. The assets of the service are the [built-in lists](models.md), such as \`en_US/cities_by_state\`; a program that uses the library serves its own:

${json(THREADED)}

${block('text', sampleRecords(THREADED, 4))}

Numbers are not read from text: \`"min": "5"\` is refused, \`"min": "{{5}}"\` is the number 5.

## Modifiers

Top-level keys of any definition. They apply in the order transform, unique, nullable.

${table(
  ['modifier', 'value', 'effect'],
  [
    [
      '`transform`',
      'expression',
      'Makes another value of each one; `value` is bound to it. Names of other generators may be used.',
    ],
    [
      '`unique`',
      'boolean',
      `No value twice in a run. On a collision it is drawn again, up to ${BUDGETS.uniqueRetries} times, then the run fails; what must or may run dry is told before it begins. Nulls are exempt.`,
    ],
    [
      '`nullable`',
      'boolean or number',
      'The probability of null, 0 to 1; `true` is 0.1. Values that stay are those of the definition without it.',
    ],
  ],
)}

What they make of ${code(JSON.stringify(DICE))}:

${table(
  ['with', 'first six values'],
  MODIFIERS.map((modifiers) => [
    Object.keys(modifiers).length === 0 ? 'nothing' : code(JSON.stringify(modifiers).slice(1, -1)),
    code(sampleValues({ ...DICE, ...modifiers }, 6).replaceAll('\n', ' ')),
  ]),
)}

${compositionSection()}

## Generators by name

${table(
  ['generator', 'gives', ''],
  generators.map((type) => [
    `[${shortName(type)}](${anchor(shortName(type))})`,
    type.output,
    type.description,
  ]),
)}

${generators.map(generatorSection).join('\n\n')}

${expressionSection()}

## Repeatability

The same schema, seed, \`now\` and engine version (${code(ENGINE_VERSION)}) give the same bytes on every machine. A value depends on the seed, the
name of its generator and the number of its row, and on nothing else: other generators, the number of rows, and how rows
are shared among workers do not change it. Exceptions are \`unique\`, which depends on the rows before, and of course
generators that use another's value.

## Errors and limits

What can be known from the definition is refused before the first row (\`validation_error\`), with every problem's JSON path; what only a row
shows, such as a templated \`min\` above \`max\`, ends the run (\`generation_failed\`) with the path of the generator. What would cost too much is
\`limit_exceeded\`:

${table(
  ['limit', ''],
  [
    [String(BUDGETS.generators), 'generators in a definition, those within compositions included'],
    [String(BUDGETS.generatorDepth), 'generators within each other'],
    [String(BUDGETS.jsonDepth), 'levels of JSON'],
    [String(BUDGETS.leafValuesPerRecord), 'values in a record'],
    [String(BUDGETS.leafValuesPerRequest), 'values in a request'],
    [String(BUDGETS.candidatesPerRequest), 'elements that predicates of lists look at in a request'],
    [String(BUDGETS.textPerRecord), 'characters in a record'],
    [String(BUDGETS.constraintRetries), 'attempts to meet the constraints on a composition'],
    [String(BUDGETS.compositionParams), 'params of a composition'],
    [String(BUDGETS.problems), 'problems of one definition that are reported'],
  ],
)}
`;
}
