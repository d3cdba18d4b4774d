import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { conformanceOf, readReference, REFERENCE, SECTIONS } from '../src/conformance/check-conformance.js';
import { conformancePage } from '../src/conformance/conformance-page.js';
import { covered, leadIn, type Row } from '../src/conformance/row.js';
import { unitsOf } from '../src/conformance/units.js';

const root = join(__dirname, '../../..');
const HERE = { file: 'tools/repository/test/conformance.spec.ts', title: 'a test' };

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
    ].join('\n');
    expect(unitsOf(text).map((unit) => [unit.id, unit.text])).toEqual([
      ['0/1', 'One thing.'],
      ['0/2', '`Two`. things (of three).'],
      ['0/3', 'Three?'],
      ['2/1', 'Only `a. B` is code, e.g. This.'],
      ['2/2', 'Next'],
      ['2/3', '*More*.'],
      ['2.1/1', '| `a` | First. Second. |'],
      ['2.1/2', '| b | |'],
      ['2.1 list generator/1', 'bullet'],
      ['2.1 list generator/2', '```json\n{ "a": 1 }. Not a sentence\n```'],
    ]);
  });

  it('refuses a text with an unknown kind of block', () => {
    expect(() => unitsOf('> a quotation')).toThrow('block of type BlockQuote: > a quotation');
  });
});

describe('conformanceOf', () => {
  it('finds exactly one row for each unit of the reference', async () => {
    const { rows, faults } = await conformanceOf(root, readReference(root), SECTIONS);
    expect(faults).toEqual([]);
    expect(rows.length).toBe(SECTIONS.flatMap((section) => section.rows).length);
  });

  const faultsOf = async (...rows: Row[]) =>
    (await conformanceOf(root, '## 1. A\nOne. Two.\n## 2. B\nOne.', [{ number: '1', title: '', rows }]))
      .faults;

  it('reports a unit without a row and a row that quotes another text', async () => {
    expect(await faultsOf(covered('One.', HERE), covered('Tow.', HERE))).toEqual([
      '1/2 has no row: Two.',
      '2/1 has no row: One.',
      'a row of section 1 quotes a statement that the reference does not have: Tow.',
    ]);
  });

  it('reports a second row for the same unit', async () => {
    expect(await faultsOf(leadIn('One.'), covered('One.', HERE), leadIn('Two.'))).toEqual([
      '2/1 has no row: One.',
      'a row of section 1 quotes a statement that the reference does not have: One.',
    ]);
  });

  it('reports a test in a file that does not exist', async () => {
    const nowhere = { file: 'libs/none.spec.ts', title: 'a test' };
    expect(await faultsOf(covered('One.', nowhere), leadIn('Two.'))).toContain(
      '1/1 names a test in libs/none.spec.ts, which does not exist',
    );
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
  it('counts each state and shows each unit with its tests', async () => {
    const { rows } = await conformanceOf(root, readReference(root), SECTIONS);
    const page = conformancePage(SECTIONS, rows);
    const counts = [
      ...page.matchAll(/^\| (covered|decided otherwise|left open|planned|not testable) \| (\d+) \|/gm),
    ];
    expect(counts.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(rows.length);
    for (const { row } of rows) for (const { file } of row.tests) expect(page).toContain(`\`${file}\``);
  });
});
