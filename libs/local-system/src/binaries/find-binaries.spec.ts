import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, postgresNamedBy } from './find-binaries.js';

describe('a folder with PostgreSQL in an environment variable', () => {
  const before = process.env['UNDERSTUDY_STACK_PG_BIN_DIR'];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-bin-'));
    for (const program of ['postgres', 'initdb', 'psql', 'pg_dump', 'pg_restore'])
      writeFileSync(join(folder, program), `#!/bin/sh\necho "${program} (PostgreSQL) 14.23"\n`, {
        mode: 0o755,
      });
    process.env['UNDERSTUDY_STACK_PG_BIN_DIR'] = folder;
  });
  afterEach(() => {
    if (before === undefined) delete process.env['UNDERSTUDY_STACK_PG_BIN_DIR'];
    else process.env['UNDERSTUDY_STACK_PG_BIN_DIR'] = before;
    rmSync(folder, { recursive: true });
  });

  it('is used instead of every other folder', () => {
    expect(findBinaries().postgres).toEqual({ binFolder: folder, majorVersion: 14 });
  });

  it('is rejected if a program is missing or too old, with the name of the variable, and no other folder is used', () => {
    writeFileSync(join(folder, 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 13.9"\n');
    expect(() => findBinaries()).toThrow('UNDERSTUDY_STACK_PG_BIN_DIR');
    rmSync(join(folder, 'postgres'));
    expect(() => findBinaries()).toThrow('UNDERSTUDY_STACK_PG_BIN_DIR');
  });

  it('is optional', () => {
    expect(postgresNamedBy('UNDERSTUDY_NOT_SET')).toBeUndefined();
  });
});
