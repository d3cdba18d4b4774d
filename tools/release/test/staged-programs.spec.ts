import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

import { PROGRAMS, readManifest } from '../src/staging/stage-program.js';
import { describeStagedPrograms, runAs } from './describe-staged-programs.js';

jest.setTimeout(300_000); // packs a program with all its dependencies

const ROOT = join(import.meta.dirname, '../../..');

// The agent is the program with compiled code.
describeStagedPrograms(PROGRAMS.filter(({ folder }) => folder === 'apps/agent'));

describe('the check of Node.js', () => {
  const command = join(ROOT, 'apps/cli/bin/understudy.js');

  it.each(['18.20.8', '21.7.3', '22.11.0'])('refuses %s', (version) => {
    expect(runAs(version, command)).toMatchObject({ status: 1, stdout: '' });
  });

  it.each(['20.19.0', '22.12.0', '23.0.0', '100.1.0'])('accepts %s', (version) => {
    expect(runAs(version, command)).toMatchObject({ status: 0, stderr: '' });
  });

  it('is the same in all programs', () => {
    const [first, ...others] = PROGRAMS.map(({ folder }) => {
      const bin = Object.entries(readManifest(join(ROOT, folder))['bin'] as Record<string, string>);
      return bin.map(([name, file]) =>
        readFileSync(join(ROOT, folder, file), 'utf8').replaceAll(name, 'NAME'),
      );
    });
    for (const other of others) expect(other).toEqual(first);
  });
});

describe.each([
  ...PROGRAMS.map(({ folder }) => [binOf(folder), '--help'] as const),
  [join(ROOT, 'tools/run.mjs'), 'help'] as const,
])('%s %s', (...args) => {
  it.each(['stdout', 'stderr'] as const)(
    'ends successfully if the reader of %s has closed it',
    async (closed) => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      child[closed].destroy();
      const printed = closed === 'stdout' ? text(child.stderr) : text(child.stdout);
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code).toBe(0);
      if (closed === 'stdout') expect(await printed).toBe('');
      else expect(await printed).toMatch(/^Usage: /);
    },
  );
});

function binOf(folder: string): string {
  const [file] = Object.values(readManifest(join(ROOT, folder))['bin'] as Record<string, string>);
  return join(ROOT, folder, file ?? '');
}
