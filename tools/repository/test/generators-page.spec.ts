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

import { generatorsPage } from '../src/generators-page/generators-page.js';
import { anchor, table } from '../src/generators-page/markdown.js';
import { generatorsPageIsFresh, writeGeneratorsPage } from '../src/generators-page/write-generators-page.js';

const root = join(__dirname, '../../..');

describe('the page of generators', () => {
  const page = generatorsPage();

  it.each(CORE_REGISTRY.all())('has $name, all its params and all its examples', (type) => {
    const [, after = ''] = page.split(`or by name \`${type.name}\``);
    const [section = ''] = after.split(/\n###? /);
    for (const name of [...Object.keys(type.params), ...Object.keys(type.constraints ?? {})]) {
      expect(section).toContain(`| \`${name}\` |`);
    }
    for (const example of type.examples) expect(section).toContain(JSON.stringify(example));
    expect(section.match(/```text\n/g)).toHaveLength(type.examples.length);
  });

  it.each([...FUNCTIONS.keys()])('has the function %s', (name) => {
    expect(page).toContain(`| \`${name}(`);
  });

  it('says of each generator that counts rows how a column rule uses it', () => {
    const counting = CORE_REGISTRY.all().filter(({ countsRows }) => countsRows === true);
    expect(counting.map(({ name }) => name.replace(/.*\./, ''))).toEqual(['uuid_v7', 'ulid', 'sequence']);
    expect(page.match(/in a column rule, in the order of the primary key/g)).toHaveLength(counting.length);
    expect(page).not.toMatch(/cannot use it yet|has none yet|[Ww]hoever/);
  });

  it('says when the value of a model is null', () => {
    expect(page).toContain('Gives a string, or null in mode real_word where no training value matches.');
  });

  it('is the same whenever it is made', () => {
    expect(generatorsPage()).toBe(page);
  });

  it('has no link to a heading that is not there', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));
    const links = [...page.matchAll(/\]\((#[^)]*)\)/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !headings.includes(link ?? ''))).toEqual([]);
  });
});

describe('the check of the page', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-page-'));
    mkdirSync(join(folder, 'docs'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(join(root, '.prettierrc.json'), join(folder, '.prettierrc.json'));
    writeGeneratorsPage(folder);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('passes the page as it is generated', async () => {
    await expect(generatorsPageIsFresh(folder)).resolves.toMatch(/^\d+ lines$/);
  });

  it('notices one changed word', async () => {
    const file = join(folder, 'docs/generators.md');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('| `length`  |');
    writeFileSync(file, text.replace('| `length`  |', '| `size`    |'));
    await expect(generatorsPageIsFresh(folder)).rejects.toThrow(
      'docs/generators.md is not what the registry gives',
    );
  });

  it('notices that the page is not there', async () => {
    rmSync(join(folder, 'docs/generators.md'));
    await expect(generatorsPageIsFresh(folder)).rejects.toThrow('docs/generators.md');
  });
});

describe('table', () => {
  it('keeps bars and line ends out of the way', () => {
    expect(table(['a', 'b'], [['x|y', 'one\ntwo']])).toBe('| a | b |\n| --- | --- |\n| x\\|y | one two |');
  });
});
