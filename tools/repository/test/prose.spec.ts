import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { checkProse, describeFault, proseHolds, trackedFiles } from '../src/prose/check-prose.js';
import { COINED, REPLACED } from '../src/prose/terms.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'understudy-prose-'));
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  plant('docs/reference.md', '# API\n\nThe job runs in the order, whatever it is.\n');
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function plant(file: string, text: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** @returns the faults of one planted file, as `line: message` */
async function faultsOf(file: string, text: string): Promise<string[]> {
  plant(file, text);
  const { faults } = await checkProse(root, [file], []);
  return faults.map(({ line, message }) => `${line}: ${message}`);
}

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => (index === 0 ? 'An' : 'an')).join(' ');

describe('a sentence', () => {
  const TOO_LONG = 'a sentence of 31 words; at most 30: An an an an an an an an …';
  const carriers: [string, string, (sentence: string) => string, number][] = [
    ['a paragraph', 'page.md', (sentence) => `# Page\n\n${sentence}\n`, 3],
    ['a list item', 'page.md', (sentence) => `- one\n- ${sentence}\n`, 2],
    ['a heading', 'page.md', (sentence) => `# ${sentence}\n`, 1],
    ['a table cell', 'page.md', (sentence) => `| a |\n| - |\n| ${sentence} |\n`, 3],
    ['a line of a table cell', 'page.md', (sentence) => `| a |\n| - |\n| Short.<br>${sentence} |\n`, 3],
    ['a quotation', 'page.md', (sentence) => `> ${sentence}\n`, 1],
    ['a doc comment', 'a.ts', (sentence) => `\n/** ${sentence} */\nexport const a = 1;\n`, 2],
    [
      'the description of a parameter',
      'a.ts',
      (sentence) =>
        `/**\n * Adds.\n *\n * @param a ${sentence}\n */\nexport function add(a: number) { return a; }\n`,
      4,
    ],
    [
      'a line comment',
      'a.ts',
      (sentence) => `// ${sentence.slice(0, 41)}\n// ${sentence.slice(42)}\nexport const a = 1;\n`,
      1,
    ],
    [
      'an error message',
      'a.ts',
      (sentence) => `export function fail() { throw new Error('${sentence}'); }\n`,
      1,
    ],
    [
      'a message with values',
      'a.ts',
      (sentence) => `export const text = (n: number) => \`\${n} ${sentence.slice(3)}\`;\n`,
      1,
    ],
    [
      'a message made of parts',
      'a.ts',
      (sentence) => `export const a = '${sentence.slice(0, 41)} ' +\n  '${sentence.slice(42)}';\n`,
      1,
    ],
    [
      'a description in a decorator',
      'a.ts',
      (sentence) => `class A { @Describe({ description: '${sentence}' }) a = 1; }\n`,
      1,
    ],
    ['a text in JSX', 'a.tsx', (sentence) => `export const A = () => (\n  <p>${sentence}</p>\n);\n`, 2],
    [
      'an attribute in JSX',
      'a.tsx',
      (sentence) => `export const A = () => <Field hint="${sentence}" />;\n`,
      1,
    ],
    ['a test title', 'a.spec.ts', (sentence) => `it('${sentence}', () => undefined);\n`, 1],
    [
      'the title of a test with rows',
      'a.spec.ts',
      (sentence) => `describe.each([1])('${sentence}', () => undefined);\n`,
      1,
    ],
    ['a comment of a protobuf schema', 'a.proto', (sentence) => `// ${sentence}\nmessage A {}\n`, 1],
    ['a comment of a shell script', 'a.sh', (sentence) => `#!/bin/sh\n# ${sentence}\ntrue\n`, 2],
    ['a comment of a YAML file', 'a.yaml', (sentence) => `a: 1\n  # ${sentence}\n`, 2],
  ];

  it.each(carriers)(
    'of 31 words is a fault in %s, and one of 30 words is not',
    async (_, file, text, line) => {
      const [fault, ...others] = await faultsOf(file, text(words(31)));
      expect(fault?.replace(' X an', ' An an')).toBe(`${line}: ${TOO_LONG}`);
      expect(others).toEqual([]);
      expect(await faultsOf(file, text(words(30)))).toEqual([]);
    },
  );

  it('counts inline code as one word, and does not count code blocks', async () => {
    expect(await faultsOf('page.md', `${words(29)} \`${words(5)}\`.\n`)).toEqual([]);
    expect(await faultsOf('page.md', `\`\`\`sh\n${words(40)}\n\`\`\`\n`)).toEqual([]);
  });

  it('is free if the API reference contains it word by word', async () => {
    const sentence = `The \`name\` is ${words(31)}.`;
    plant('docs/reference.md', `| a |\n| - |\n| ${sentence} |\n`);
    expect(await faultsOf('page.md', `${sentence}\n`)).toEqual([]);
    expect(await faultsOf('a.spec.ts', `it('${sentence}', () => undefined);\n`)).toEqual([]);
    expect(await faultsOf('page.md', `${sentence.replace('name', 'namespace')}\n`)).toHaveLength(1);
  });

  it('is not checked in SQL, imports and the tests of other texts', async () => {
    expect(await faultsOf('a.ts', `export const a = 'SELECT ${words(40)}';\n`)).toEqual([]);
    expect(await faultsOf('a.spec.ts', `const row = '${words(40)}';\n`)).toEqual([]);
  });

  it('is not checked in a literal that contains the characters of a comment', async () => {
    for (const literal of ["'X'", '`X`', '`${1}X${2}X`', '/[X]/', '<p>{"X"}</p>'])
      expect(
        await faultsOf('a/test/a.tsx', `const a = ${literal.replaceAll('X', `// ${words(40)}`)};\n`),
      ).toEqual([]);
    const between = `const a = /* ${words(31)} */ \`// \${1 /* ${words(31)} */}//\`; // ${words(31)}\n`;
    expect(await faultsOf('a.spec.ts', `#!/usr/bin/env node //\n${between}`)).toHaveLength(3);
  });

  it('may contain character references', async () => {
    const sentence = words(31).replaceAll(' ', '&nbsp;');
    expect(await faultsOf('a.ts', `// ${sentence}\n`)).toContain(`1: ${TOO_LONG}`);
  });

  it('is not checked in the class names of an element', async () => {
    const classes = 'flex items-center gap-2 hover:underline rounded '.repeat(8);
    expect(await faultsOf('a.tsx', `export const A = () => <p className="${classes}">x</p>;\n`)).toEqual([]);
  });
});

describe('a doc comment', () => {
  it.each(['Of', 'By', 'As', 'What'])('must not open with %s', async (word) => {
    const opening = [`1: a doc comment opens with "${word}": begin with a verb or a noun`];
    expect(await faultsOf('a.ts', `/** ${word} the job. */\nexport const a = 1;\n`)).toEqual(opening);
    expect(await faultsOf('a.ts', `/**\n * ${word} the job.\n */\nexport const a = 1;\n`)).toEqual(opening);
    expect(await faultsOf('a.ts', `// ${word} the job.\nexport const a = 1;\n`)).toEqual([]);
    expect(await faultsOf('a.ts', `/** ${word}ten the job. */\nexport const a = 1;\n`)).toEqual([]);
  });
});

describe('a line', () => {
  const long = `${'a'.repeat(60)} ${'b'.repeat(60)}`;

  it.each([
    ['page.md', `${long}\n`],
    ['a.ts', `/**\n * ${long}\n */\nexport const a = 1;\n`],
    ['a.proto', `// ${long}\n`],
  ])('of 121 characters is a fault in %s, and one of 120 characters is not', async (file, text) => {
    expect(await faultsOf(file, text)).toEqual([
      expect.stringMatching(/^[12]: a line of 121 characters; at most 120$/) as string,
    ]);
    expect(await faultsOf(file, text.replace('aa', 'a'))).toEqual([]);
  });

  it('may be longer in tables, code blocks and links', async () => {
    expect(await faultsOf('page.md', `| a |\n| - |\n| ${long} |\n`)).toEqual([]);
    expect(await faultsOf('page.md', `\`\`\`\n${long}\n\`\`\`\n`)).toEqual([]);
    expect(await faultsOf('page.md', `See https://example.org/${'a'.repeat(120)}.\n`)).toEqual([]);
  });
});

describe('a table cell of README.md', () => {
  it('has at most 15 words', async () => {
    const table = (count: number) => `| a | b |\n| - | - |\n| ${words(count)} | short |\n`;
    expect(await faultsOf('README.md', table(16))).toEqual([
      '3: a table cell of 16 words; at most 15: write a list or a section',
    ]);
    expect(await faultsOf('README.md', table(15))).toEqual([]);
    expect(await faultsOf('page.md', table(16))).toEqual([]);
  });
});

describe('a term', () => {
  /** For each pattern, one text that it matches. */
  const examples = COINED.map(([pattern]) => [
    pattern
      .replace(/\([^()]*\)\?/g, '')
      .replace(/\(([^()|]+)[^()]*\)/g, '$1')
      .replace(/s\?/g, '')
      .trim(),
  ]);

  it.each(examples)('"%s" is a fault in pages, comments, messages and test titles', async (term) => {
    const incorrect = expect.stringMatching(/^1: Incorrect term: /) as string;
    expect(await faultsOf('page.md', `The job is ${term} here.\n`)).toEqual([incorrect]);
    expect(await faultsOf('a.ts', `// The job is ${term} here.\nexport const a = 1;\n`)).toEqual([incorrect]);
    expect(await faultsOf('a.ts', `export const a = 'The job is ${term} here.';\n`)).toEqual([incorrect]);
    expect(await faultsOf('a.spec.ts', `it('is ${term} here', () => undefined);\n`)).toEqual([incorrect]);
    expect(await faultsOf('page.md', `The job has \`${term}\`.\n`)).toEqual([]);
  });

  it('that was coined is a fault in each declared name and file name', async () => {
    const message = '1: the name misfitCount: write "type mismatch"';
    expect(await faultsOf('a.ts', 'export const misfitCount = 1;\n')).toEqual([message]);
    expect(await faultsOf('a.ts', 'export function misfitCount() { return 1; }\n')).toEqual([message]);
    expect(await faultsOf('a.ts', 'export interface A { misfitCount: number }\n')).toEqual([message]);
    expect(await faultsOf('a.ts', 'export const f = (misfitCount: number) => misfitCount;\n')).toEqual([
      message,
    ]);
    expect(await faultsOf('misfit-count.ts', '')).toEqual([message.replace('misfitCount', 'misfit-count')]);
  });

  it.each(Object.entries(REPLACED))(
    'with a common meaning, "%s", is a fault only in the names of types and files',
    async (word, instead) => {
      const type = `Job${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
      const fault = [`1: the name ${type}: write "${instead}"`];
      expect(await faultsOf('a.ts', `export interface ${type} {}\n`)).toEqual(fault);
      expect(await faultsOf('a.ts', `export class ${type} {}\n`)).toEqual(fault);
      expect(await faultsOf('a.ts', `export type ${type} = 1;\n`)).toEqual(fault);
      expect(await faultsOf('a.ts', `export enum ${type} {}\n`)).toEqual(fault);
      expect(await faultsOf(`job-${word}.ts`, '')).toHaveLength(1);
      expect(await faultsOf('a.ts', `export type ${type}less = 1;\n`)).toEqual([]);
    },
  );

  it('of ALLOWED_NAMES is free, and an allowed name that nothing has is a fault', async () => {
    const allowed = [{ name: 'JobNote', reason: 'a note of music' }];
    plant('a.ts', 'export interface JobNote {}\n');
    expect(await proseHolds(root, allowed)).toBe('0 texts of 2 files');
    plant('a.ts', 'export interface Job {}\n');
    await expect(proseHolds(root, allowed)).rejects.toThrow(
      'nothing is named JobNote: remove it from ALLOWED_NAMES',
    );
  });
});

describe('a link', () => {
  it('of a page leads to an existing file and heading', async () => {
    plant('docs/other.md', '# The `first` heading\n\n```\n# not a heading\n```\n');
    const link = (url: string) => `# Page\n\nSee [it](${url}).\n`;
    for (const url of [
      'docs/other.md',
      'docs',
      'docs/other.md#the-first-heading',
      '#page',
      'https://a.example/b',
    ])
      expect(await faultsOf('page.md', link(url))).toEqual([]);
    expect(await faultsOf('page.md', link('docs/gone.md'))).toEqual([
      '3: the link docs/gone.md leads to no file',
    ]);
    for (const url of ['docs/other.md#not-a-heading', '#gone'])
      expect(await faultsOf('page.md', link(url))).toEqual([
        `3: the link ${url} leads to no heading of that file`,
      ]);
  });
});

describe('a page that a comment or a message names by its path', () => {
  it('exists', async () => {
    plant('docs/guides/other.md', '');
    expect(await faultsOf('a.ts', '// See docs/guides/other.md.\nexport const a = 1;\n')).toEqual([]);
    const fault = ['2: there is no page docs/other.md'];
    expect(await faultsOf('a.ts', '\n// See docs/other.md.\nexport const a = 1;\n')).toEqual(fault);
    expect(await faultsOf('a.ts', "\nexport const a = 'It is explained in docs/other.md';\n")).toEqual(fault);
    expect(await faultsOf('a.yaml', 'a: 1\n# See docs/other.md.\n')).toEqual(fault);
  });
});

describe('the check', () => {
  it('cannot be turned off by a comment', async () => {
    const page = `<!-- textlint-disable -->\n\n${words(31)}\n\n<!-- textlint-enable -->\n`;
    expect(await faultsOf('page.md', page)).toHaveLength(1);
    expect(await faultsOf('page.md', `<!-- prettier-ignore -->\n${words(31)}\n`)).toHaveLength(1);
  });

  it('reads tracked files and new ones, and leaves out ignored files, the API reference, licences and fixtures', async () => {
    const fault = `${words(31)}\n`;
    plant('.gitignore', 'ignored.md\n');
    for (const file of ['tracked.md', 'new.md', 'ignored.md', 'LICENSE.md', 'libs/a/fixtures/a.md', 'a.json'])
      plant(file, fault);
    plant('docs/reference.md', `${'No '.repeat(31)}\n`);
    execFileSync('git', ['add', 'tracked.md', 'LICENSE.md', 'libs', 'docs'], { cwd: root });
    expect(trackedFiles(root)).toEqual(expect.arrayContaining(['new.md', 'tracked.md']));
    const { faults } = await checkProse(root, trackedFiles(root), []);
    expect(faults.map(describeFault).sort()).toEqual([
      expect.stringMatching(/^new\.md:1: a sentence of 31 words/) as string,
      expect.stringMatching(/^tracked\.md:1: a sentence of 31 words/) as string,
    ]);
  });
});
