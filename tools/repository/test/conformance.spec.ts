import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { conformanceOf, readReference, REFERENCE } from '../src/conformance/check-conformance.js';
import { conformancePage } from '../src/conformance/conformance-page.js';
import { REMARKS, type Remark } from '../src/conformance/remarks.js';
import { numberedTests, readNumberedTests, type NumberedTest } from '../src/conformance/numbered-titles.js';
import { unitsOf } from '../src/conformance/units.js';

const root = join(__dirname, '../../..');

describe('unitsOf', () => {
  it('returns sentences, list items and table rows, numbered within their sections', () => {
    const text = [
      '# Title',
      'One thing. `Two`. things (of three). Three?',
      '## 2. Second',
      '1. Only `a. B` is code, e.g. This. Next',
      '2. *More*.',
      '### 2.1 Inner',
      '| head | of it |',
      '|---|---|',
      '| `a` | First. Second. |',
      '| b | |',
      '',
      '#### List generator (of data)',
      '- bullet',
      '',
      '```json',
      '{ "a": 1 }. Not a sentence',
      '```',
      '#### Other generator',
      'Last.',
      '### 2.2 Outer',
      'End.',
    ].join('\n');
    expect(unitsOf(text).map((unit) => [unit.section, unit.id, unit.text])).toEqual([
      ['0 Introduction', '0/1', 'One thing.'],
      ['0 Introduction', '0/2', '`Two`. things (of three).'],
      ['0 Introduction', '0/3', 'Three?'],
      ['2 Second', '2/1', 'Only `a. B` is code, e.g. This.'],
      ['2 Second', '2/2', 'Next'],
      ['2 Second', '2/3', '*More*.'],
      ['2.1 Inner', '2.1/1', '| `a` | First. Second. |'],
      ['2.1 Inner', '2.1/2', '| b | |'],
      ['2.1.1 List generator', '2.1.1/1', 'bullet'],
      ['2.1.1 List generator', '2.1.1/2', '```json\n{ "a": 1 }. Not a sentence\n```'],
      ['2.1.2 Other generator', '2.1.2/1', 'Last.'],
      ['2.2 Outer', '2.2/1', 'End.'],
    ]);
  });

  it('refuses a text with an unknown kind of block', () => {
    expect(() => unitsOf('> a quotation')).toThrow('block of type BlockQuote: > a quotation');
  });
});

describe('numberedTests', () => {
  const found = (source: string, file = 'a.spec.ts') =>
    numberedTests(file, source).map(({ statements, group, title }) => [statements, group, title]);

  it('finds titles that begin with one or more numbers, and the group around each', () => {
    const source = `
      it('[1/1] works', () => {});
      describe('a thing', () => {
        it('needs no number', () => {});
        describe.each(ROWS)('of %s', (kind) => {
          test("[2.9.1/3, 4.2/5] isn't broken", () => expect('[1/2]').toBe([1 / 2]));
        });
      });`;
    expect(found(source)).toEqual([
      [['1/1'], '', 'works'],
      [['2.9.1/3', '4.2/5'], 'of … ', "isn't broken"],
    ]);
  });

  it('finds titles in rows, and replaces each value that is inserted at run time', () => {
    const source = `
      it.each([['[1/1] a row', 5], ['another row', 6]])('%s', (_, n) => {});
      describeUnless(reason)('a thing', () => it.each(ROWS)('[1/2] shows %i of $name', () => {}));
      for (const name of NAMES) it(\`[1/3] gets \${name} twice\`, () => {});`;
    expect(found(source)).toEqual([
      [['1/1'], '', 'a row'],
      [['1/2'], 'a thing ', 'shows … of …'],
      [['1/3'], '', 'gets … twice'],
    ]);
  });

  it('finds the titles of scenarios', () => {
    expect(found('[{ "title": "[1/1] works", "call": [1, 2] }]', 'a.json')).toEqual([[['1/1'], '', 'works']]);
  });
});

describe('readNumberedTests', () => {
  it('finds a scenario in the suite of each client', () => {
    const clients = readNumberedTests(root).filter(({ file }) => file.startsWith('clients/test/scenarios/'));
    expect(clients.map(({ file, statements }) => [file.split('/').at(-1), statements])).toEqual(
      ['go', 'php', 'python', 'typescript'].map((language) => [`${language}.spec.ts`, ['9/4']]),
    );
  });
});

describe('conformanceOf', () => {
  it('finds a test or a note for each statement of the reference', () => {
    const { statements, faults } = conformanceOf(readReference(root), REMARKS, readNumberedTests(root));
    expect(faults).toEqual([]);
    expect(statements).toHaveLength(337);
  });

  const test = (...statements: string[]): NumberedTest => ({
    file: 'a.spec.ts',
    statements,
    group: '',
    title: 'works',
  });
  const note = (state: Remark['state']): Remark => ({ state, note: 'A note.' });
  const faultsOf = (notes: Readonly<Record<string, Remark>>, ...tests: NumberedTest[]) =>
    conformanceOf('## 1. A\nOne. Two.\n## 2. B\nOne.', notes, tests).faults;

  it('accepts several tests of a statement, and several statements of a test', () => {
    expect(faultsOf({}, test('1/1', '1/2', '2/1'), test('1/1'))).toEqual([]);
  });

  it('reports a statement without a test', () => {
    expect(faultsOf({}, test('1/1'))).toEqual(['1/2 has no test: Two.', '2/1 has no test: One.']);
  });

  it.each(['decided otherwise', 'left open'] as const)(
    'requires a test if a note has the state %s',
    (state) => {
      expect(faultsOf({ '1/2': note(state) }, test('1/1', '2/1'))).toEqual(['1/2 has no test: Two.']);
    },
  );

  it('requires no test of a planned statement', () => {
    expect(faultsOf({ '1/2': note('planned') }, test('1/1', '2/1'))).toEqual([]);
  });

  it('reports a number that no statement has, in a title and in a note', () => {
    expect(
      faultsOf({ '3/1': note('left open') }, test('1/1', '1/3', '1/2'), test('2/1,2/2'), test('2/1')),
    ).toEqual([
      'a note has the number 3/1, which no statement has',
      'a title in a.spec.ts has the number 1/3, which no statement has: works',
      'a title in a.spec.ts has the number 2/1,2/2, which no statement has: works',
    ]);
  });

  it('reports a test of a statement that is not testable', () => {
    expect(faultsOf({ '1/2': note('not testable') }, test('1/1', '1/2', '2/1'))).toEqual([
      '1/2 is not testable, but a.spec.ts has its number: works',
    ]);
  });
});

describe('readReference', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-conformance-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses a reference in which a byte was changed', () => {
    const text = readFileSync(join(root, REFERENCE), 'utf8');
    expect(readReference(root)).toBe(text);
    expect(() => readReference(folderWith(text.replace('100,000', '10,000')))).toThrow(
      'must have the SHA-256',
    );
  });

  function folderWith(text: string): string {
    mkdirSync(join(folder, 'docs'), { recursive: true });
    writeFileSync(join(folder, REFERENCE), text);
    return folder;
  }
});

describe('conformancePage', () => {
  it('counts each state and shows each statement with its tests', () => {
    const { statements } = conformanceOf(readReference(root), REMARKS, readNumberedTests(root));
    const page = conformancePage(statements);
    const counts = [
      ...page.matchAll(/^\| (covered|decided otherwise|left open|planned|not testable) \| (\d+) \|/gm),
    ];
    expect(counts.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(statements.length);
    for (const { tests } of statements) for (const { file } of tests) expect(page).toContain(`\`${file}\``);
  });
});
