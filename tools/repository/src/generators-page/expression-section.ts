import { FUNCTIONS, LIMITS } from '@understudy/expression';
import { FUNCTION_NOTES, type FunctionNote } from './function-notes.js';
import { code, table } from './markdown.js';
import { sampleValues } from './sample-values.js';

/** The expression language, with what every function's example gives. @throws Error where notes and table differ */
export function expressionSection(): string {
  checkNotes();
  return `## Expressions

Between \`{{\` and \`}}\` in any text of a definition, and without braces in \`computed\`, \`where\`, \`transform\` and
\`repeat.count\`. A name stands for the value of that generator, step or param; \`item\` in \`where\` for the candidate,
\`value\` in \`transform\` for the value made. A text that is one whole expression keeps its value's type
(\`"{{age}}"\` is a number); with anything around it, it becomes text. \`\\{{\` stands for two braces.

- Literals: \`'text'\` or \`"text"\`, \`12.5\`, \`true\`, \`false\`, \`null\`, \`[1, 2]\`.
- Operators, weakest first: \`? :\`, \`||\`, \`&&\`, \`== !=\`, \`< <= > >=\`, \`+ -\`, \`* / %\`, \`! -\`. \`+\` adds two numbers
  or joins two texts; \`concat\` joins values of any kind. Nothing else turns text into numbers or back.
- Members: \`person.name\`, \`list[0]\`, \`at(list, -1)\`; null where there is none.
- False are \`false\`, \`null\`, \`0\` and the empty text.
- A name that is no plain word stands in back-quotes: \`\` \`first name\` \`\`.

Nothing else exists: no loops, no definitions of functions, nothing of the machine it runs on. An expression is at most
${LIMITS.sourceBytes} bytes long, has at most ${LIMITS.nodes} parts nested ${LIMITS.depth} deep, and makes texts of at most
${LIMITS.textBytes / 1024} KiB.

${Object.entries(FUNCTION_NOTES)
  .map(([group, notes]) => `**${group}**\n\n${notesTable(notes)}`)
  .join('\n\n')}`;
}

function notesTable(notes: readonly FunctionNote[]): string {
  return table(
    ['function', 'arguments', '', 'example', 'gives'],
    notes.map(({ call, about, example }) => [
      code(call),
      arity(nameOf(call)),
      about,
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

function checkNotes(): void {
  const noted = Object.values(FUNCTION_NOTES).flatMap((notes) => notes.map(({ call }) => nameOf(call)));
  const missing = [...FUNCTIONS.keys()].filter((name) => !noted.includes(name));
  const gone = noted.filter((name) => !FUNCTIONS.has(name));
  if (missing.length + gone.length > 0) {
    throw new Error(
      `function-notes.ts lacks ${missing.join(', ') || 'nothing'} and has too much: ${gone.join(', ') || 'nothing'}`,
    );
  }
}
