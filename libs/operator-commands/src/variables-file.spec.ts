import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command } from 'commander';

import { loadVariablesFile, withConfigOption } from './variables-file.js';

const folder = mkdtempSync(join(tmpdir(), 'understudy-variables-'));
const file = join(folder, 'program.env');
const NAMES = ['VARIABLES_SPEC_FILE', 'VARIABLES_SPEC_BOTH'];

beforeEach(() => {
  for (const name of NAMES) Reflect.deleteProperty(process.env, name);
  writeFileSync(file, '# a comment\nVARIABLES_SPEC_FILE="two words"\nVARIABLES_SPEC_BOTH=file\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('--config', () => {
  it.each([
    ['before the command', ['--config', file, 'child', 'run']],
    ['after the command', ['child', 'run', '--config', file]],
  ])('sets the variables of the file %s, and keeps those of the environment', async (_, words) => {
    process.env['VARIABLES_SPEC_BOTH'] = 'environment';
    let seen: unknown[] = [];
    const program = withConfigOption(new Command('program').exitOverride());
    program
      .command('child')
      .command('run')
      .action(() => {
        seen = NAMES.map((name) => process.env[name]);
      });
    await program.parseAsync(words, { from: 'user' });
    expect(seen).toEqual(['two words', 'environment']);
  });

  it('reads no file by default', async () => {
    const program = withConfigOption(new Command('program'));
    program.command('run').action(() => undefined);
    await program.parseAsync(['run'], { from: 'user' });
    expect(process.env['VARIABLES_SPEC_FILE']).toBeUndefined();
  });

  it('is in the help of each command', () => {
    const program = withConfigOption(new Command('program'));
    expect(program.command('run').helpInformation()).toContain('--config <file>');
  });

  it('refuses a missing file, a folder, a pipe and a huge file, with the reason', () => {
    const [inner, pipe, huge] = [join(folder, 'inner'), join(folder, 'pipe'), join(folder, 'huge')];
    mkdirSync(inner);
    execFileSync('mkfifo', [pipe]);
    writeFileSync(huge, '');
    truncateSync(huge, 1024 * 1024 + 1);
    expect(() => loadVariablesFile(join(folder, 'absent'))).toThrow('cannot be read (ENOENT)');
    for (const path of [inner, pipe, huge])
      expect(() => loadVariablesFile(path)).toThrow('a regular file of at most 1 MiB');
  });
});
