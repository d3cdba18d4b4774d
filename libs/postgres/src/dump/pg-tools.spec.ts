import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPgTools } from './pg-tools.js';

describe('findPgTools', () => {
  let folder: string;
  const place = (tool: string, version: string): void => {
    const added = join(folder, 'added');
    const starts = `echo start >> '${join(folder, 'starts')}'`;
    writeFileSync(added, `#!/bin/sh\n${starts}\necho "${tool} (PostgreSQL) ${version}"\n`);
    chmodSync(added, 0o755);
    renameSync(added, join(folder, tool)); // like a package upgrade
  };
  const starts = (): number => readFileSync(join(folder, 'starts'), 'utf8').split('\n').length - 1;
  const find = (serverMajor: number): Promise<unknown> => findPgTools({ pgBinDir: folder }, serverMajor);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-pg-tools-'));
    for (const tool of ['pg_dump', 'pg_restore']) place(tool, '16.4');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('starts a program only once to learn its version', async () => {
    const first = await find(16);
    expect(await find(14)).toEqual(first);
    expect(starts()).toBe(1);
  });

  it('checks a program again after an upgrade has replaced it', async () => {
    await find(16);
    place('pg_dump', '17.1');
    expect(await find(17)).toMatchObject({ dump: join(folder, 'pg_dump') });
    place('pg_dump', '15.9');
    await expect(find(16)).rejects.toMatchObject({ code: 'pg_dump_too_old' });
  });

  it('names the versions of the newest pg_dump and of the server if pg_dump is too old', async () => {
    await expect(find(18)).rejects.toMatchObject({
      code: 'pg_dump_too_old',
      cause: { message: `expected pg_dump 18 or newer, found ${join(folder, 'pg_dump')} of version 16` },
    });
  });

  it('checks an unchanged script again that had no version or too old a one', async () => {
    const version = join(folder, 'version');
    place('pg_dump', `$(cat '${version}')`);
    await expect(find(16)).rejects.toMatchObject({ code: 'pg_dump_missing' });
    writeFileSync(version, '15.9');
    await expect(find(16)).rejects.toMatchObject({ code: 'pg_dump_too_old' });
    writeFileSync(version, '16.4');
    expect(await find(16)).toMatchObject({ dump: join(folder, 'pg_dump') });
  });
});
