import { FUNCTIONS } from '@understudy/expression';
import { CORE_REGISTRY } from '@understudy/generator';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { GENERATORS_PAGE, generatorsPage } from '../src/generators-page/generators-page.js';
import { anchor, table } from '../src/generators-page/markdown.js';
import { pageIsFresh, writePage } from '../src/pages/page.js';

const root = join(__dirname, '../../..');

describe('generatorsPage', () => {
  const page = generatorsPage();

  it.each(CORE_REGISTRY.all())('describes $name with all its params and examples', (type) => {
    const [, after = ''] = page.split(`or \`{ "use": "${type.name}"`);
    const [section = ''] = after.split(/\n###? /);
    for (const name of [...Object.keys(type.params), ...Object.keys(type.constraints ?? {})]) {
      expect(section).toContain(`| \`${name}\` |`);
    }
    for (const example of type.examples) expect(section).toContain(JSON.stringify(example));
    expect(section.match(/```text\n/g)).toHaveLength(type.examples.length);
  });

  it.each([...FUNCTIONS.keys()])('describes the function %s', (name) => {
    expect(page).toContain(`| \`${name}(`);
  });

  it('describes how a column rule numbers the rows for each generator that counts rows', () => {
    const counting = CORE_REGISTRY.all().filter(({ countsRows }) => countsRows === true);
    expect(counting.map(({ name }) => name.replace(/.*\./, ''))).toEqual(['uuid_v7', 'ulid', 'sequence']);
    expect(page.match(/In a column rule, rows are numbered in the order of the primary key/g)).toHaveLength(
      counting.length,
    );
    expect(page).not.toMatch(/cannot use it yet|has none yet|[Ww]hoever/);
  });

  it('describes when the value of a model is null', () => {
    expect(page).toContain('It returns a string, or null if no training value matches in mode real_word.');
  });

  it('builds the same page twice', () => {
    expect(generatorsPage()).toBe(page);
  });

  it('has no link to a missing heading', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));
    const links = [...page.matchAll(/\]\((#[^)]*)\)/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !headings.includes(link ?? ''))).toEqual([]);
  });
});

describe('pageIsFresh', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-page-'));
    mkdirSync(join(folder, 'docs/reference'), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(root, '.oxfmtrc.json'), join(folder, '.oxfmtrc.json'));
    writePage(folder, GENERATORS_PAGE);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('accepts the generated page', async () => {
    await expect(pageIsFresh(folder, GENERATORS_PAGE)).resolves.toMatch(/^\d+ lines$/);
  });

  it('refuses a page in which one word was changed', async () => {
    const file = join(folder, 'docs/reference/generators.md');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('| `length`  |');
    writeFileSync(file, text.replace('| `length`  |', '| `size`    |'));
    await expect(pageIsFresh(folder, GENERATORS_PAGE)).rejects.toThrow(
      'docs/reference/generators.md is outdated; run npm run generate',
    );
  });

  it('refuses a missing page', async () => {
    rmSync(join(folder, 'docs/reference/generators.md'));
    await expect(pageIsFresh(folder, GENERATORS_PAGE)).rejects.toThrow('docs/reference/generators.md');
  });
});

describe('table', () => {
  it('escapes bars and replaces line ends by spaces', () => {
    expect(table(['a', 'b'], [['x|y', 'one\ntwo']])).toBe('| a | b |\n| --- | --- |\n| x\\|y | one two |');
  });
});
