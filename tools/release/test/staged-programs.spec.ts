import { readFileSync } from 'node:fs';
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
