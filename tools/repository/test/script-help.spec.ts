import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const RUN = 'tools/run.mjs';
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const verbs = Object.values(scripts)
  .filter((script) => script.startsWith(`node ${RUN} `))
  .map((script) => script.split(' ').at(-1) ?? '');

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'understudy-clone-'));
  mkdirSync(join(clone, 'tools'));
  copyFileSync(join(ROOT, RUN), join(clone, RUN));
});
afterAll(() => rmSync(clone, { recursive: true }));

const filesOf = (folder: string) => readdirSync(folder, { recursive: true }).toSorted();

describe('an npm script with --help', () => {
  it.each(verbs)('prints help of %s in a fresh clone, and installs and builds nothing', (verb) => {
    const before = filesOf(clone);
    const printed = execFileSync(process.execPath, [RUN, verb, '--help'], { cwd: clone, encoding: 'utf8' });
    expect(printed).toMatch(/^Usage: npm (run )?[a-z]+ -- \[arguments/);
    expect(filesOf(clone)).toEqual(before);
  });

  it('exists for every verb', () => {
    const printed = execFileSync(process.execPath, [RUN, '--help'], { cwd: clone, encoding: 'utf8' });
    const known = [...printed.matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb);
    expect(verbs.toSorted()).toEqual(known.toSorted());
  });
});
