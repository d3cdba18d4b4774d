import { FUNCTIONS, LIMITS } from '@understudy/expression';
import { FUNCTION_DESCRIPTIONS, type FunctionDescription } from './function-descriptions.js';
import { code, table } from './markdown.js';
import { sampleValues } from './sample-values.js';

/**
 * Builds the section on the expression language, with the result of each function's example.
 * @throws Error if function-descriptions.ts lacks a function of the language, or describes an unknown one
 */
export function expressionSection(): string {
  checkDescriptions();
  return `## Expressions

An expression computes a value from other values. You can write one in two ways:

- In any text of a definition, between \`{{\` and \`}}\`: \`"Hello {{first}}"\`. Write \`\\{{\` for two literal braces.
- Without braces in \`computed\`, \`where\`, \`transform\` and \`repeat.count\`: \`"age * 2"\`.

A text that consists of one expression keeps the type of its value: \`"{{age}}"\` is a number. If a text contains
anything else, the result is a text: \`"{{age}} years"\`.

An expression can contain:

- Names of generators, steps and params. \`where\` also has \`item\`, the list element. \`transform\` also has \`value\`,
  the generated value. Write a name that has blanks or symbols in back-quotes: \`\` \`first name\` \`\`.
- Literals: \`'text'\` or \`"text"\`, \`12.5\`, \`true\`, \`false\`, \`null\`, \`[1, 2]\`.
- Members: \`person.name\`, \`list[0]\`, \`at(list, -1)\`. A member that does not exist is null.
- Operators, from the lowest precedence to the highest: \`? :\`, \`||\`, \`&&\`, \`== !=\`, \`< <= > >=\`, \`+ -\`,
  \`* / %\`, \`! -\`.
- Calls of the functions below.

\`+\` adds two numbers or joins two texts. To join values of different types, use \`concat\`. Operators do not convert
text to numbers, or numbers to text. In a condition, \`false\`, \`null\`, \`0\` and the empty text count as false.

Integers keep all digits, also beyond 2^53: \`9007199254740992 + 1\` is 9007199254740993. Decimals are doubles,
except values of the schema with more digits, such as 0.12345678901234567890. Comparisons, \`min\`, \`max\` and \`abs\`
are exact for all numbers. If another operation would have to convert an integer beyond 2^53 or a decimal with more
digits to a double, as in \`9007199254740993 + 0.5\`, the run fails.

\`pick\` and \`uuid\` return a new random value for each row and each call in a definition.

There are no loops and no functions of your own, and an expression cannot access the machine that it runs on. An
expression has at most ${LIMITS.sourceBytes} bytes and ${LIMITS.nodes} parts, which may be nested ${LIMITS.depth} levels deep. It
produces texts of at most ${LIMITS.textBytes / 1024} KiB.

${Object.entries(FUNCTION_DESCRIPTIONS)
  .map(([group, descriptions]) => `### ${group}\n\n${functionsTable(descriptions)}`)
  .join('\n\n')}`;
}

function functionsTable(descriptions: readonly FunctionDescription[]): string {
  return table(
    ['function', 'arguments', 'description', 'example', 'result'],
    descriptions.map(({ call, text, example }) => [
      code(call),
      arity(nameOf(call)),
      text,
      code(example),
      code(sampleValues({ computed: example }, 1)),
    ]),
  );
}

function arity(name: string): string {
  const { min = 0, max = 0 } = FUNCTIONS.get(name) ?? {};
  return min === max ? String(min) : `${min} to ${max}`;
}

function nameOf(call: string): string {
  return call.slice(0, call.indexOf('('));
}

function checkDescriptions(): void {
  const described = Object.values(FUNCTION_DESCRIPTIONS).flatMap((group) =>
    group.map(({ call }) => nameOf(call)),
  );
  const missing = [...FUNCTIONS.keys()].filter((name) => !described.includes(name));
  const unknown = described.filter((name) => !FUNCTIONS.has(name));
  if (missing.length + unknown.length > 0) {
    throw new Error(
      `function-descriptions.ts must describe each function of libs/expression once; missing: ${missing.join(', ') || 'none'}; unknown: ${unknown.join(', ') || 'none'}`,
    );
  }
}
