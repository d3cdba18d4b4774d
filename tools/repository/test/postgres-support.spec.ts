import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { declaredSupport, SUPPORT_SUITE, supportFaults } from '../src/postgres-support/declared-support.js';
import { supportPage } from '../src/postgres-support/support-page.js';
import { VERSIONS_FILE } from '../src/postgres-support/versions-run.js';

const root = join(__dirname, '../../..');

it('the suite tests each schema of the SQL files, and the page lists each test', () => {
  expect(supportFaults(root)).toEqual([]);
  expect(declaredSupport(root).length).toBeGreaterThan(70);
  expect(supportPage(root)).toContain('| mixed case');
});

describe('the rows of the page', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-support-'));
    mkdirSync(join(folder, dirname(VERSIONS_FILE)), { recursive: true });
    copyFileSync(join(root, VERSIONS_FILE), join(folder, VERSIONS_FILE));
    write('everything-schema/1.sql', 'CREATE SCHEMA a;\nCREATE SCHEMA "b""\nc";\n');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('are read from the calls in the suite', () => {
    suite(`describe('x', () => {
      holds('One', 'it\\'s', ['a', 'b"\\nc']);
      instead('One', "it's |", 'x', async () => {});
      instead(
        'Two',
        'that',
        'this',
        async () => {},
      );\n});`);
    expect(declaredSupport(folder)).toEqual([
      { section: 'One', feature: "it's", schemas: ['a', 'b"\nc'] },
      { section: 'One', feature: "it's |", instead: 'x', schemas: [] },
      { section: 'Two', feature: 'that', instead: 'this', schemas: [] },
    ]);
    expect(supportFaults(folder)).toEqual([]);
    expect(supportPage(folder)).toContain('| that | this |');
  });

  it('are faulty if a schema has no row or is unknown, or if two rows have the same title', () => {
    suite(`holds('One', 'x', ['a', 'z']);\nholds('One', 'x', ['a']);\n`);
    expect(supportFaults(folder)).toEqual([
      expect.stringContaining('compares "b\\"\\nc"'),
      expect.stringContaining('no file creates the schema "z"'),
      expect.stringContaining('two tests have the title "One: x"'),
    ]);
  });

  function suite(text: string): void {
    writeFileSync(join(folder, SUPPORT_SUITE), text);
  }
  function write(name: string, text: string): void {
    const file = join(folder, dirname(SUPPORT_SUITE), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
});
