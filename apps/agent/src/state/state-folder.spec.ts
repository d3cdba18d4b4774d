import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { StateFolder } from './state-folder.js';

let parent: string;
let path: string;
let folder: StateFolder | undefined;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'state-folder-'));
  path = join(parent, 'state');
});
afterEach(() => {
  folder?.close();
  folder = undefined;
  rmSync(parent, { recursive: true });
});

describe('the state folder', () => {
  it('is created for its owner only, with an empty folder for temporary files', async () => {
    mkdirSync(join(path, 'tmp', 'understudy-schema-x'), { recursive: true });
    folder = await StateFolder.open(path);
    expect(readdirSync(join(path, 'tmp'))).toEqual([]);
    expect(statSync(join(path, 'tmp')).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'lock')).mode & 0o777).toBe(0o600);
  });

  it('opens once at a time, and keeps the temporary files of the process that has it', async () => {
    folder = await StateFolder.open(path);
    writeFileSync(join(path, 'tmp', 'in-use'), '');
    await expect(StateFolder.open(path)).rejects.toMatchObject({
      name: 'StateFolderInUseError',
      message: expect.stringContaining(`process ${process.pid} on `),
    });
    expect(readdirSync(join(path, 'tmp'))).toEqual(['in-use']);
    folder.close();
    folder = await StateFolder.open(path);
  });

  it('reports that it was replaced while it was open', async () => {
    folder = await StateFolder.open(path);
    renameSync(path, join(parent, 'moved'));
    await expect(folder.whenLost).resolves.toMatchObject({ message: expect.stringContaining('was moved') });
  });

  it('is the reason of an error after it was moved away', async () => {
    folder = await StateFolder.open(path);
    const unrelated = new Error('unrelated');
    expect(await folder.explain(unrelated)).toBe(unrelated);
    renameSync(path, join(parent, 'moved'));
    expect(await folder.explain(unrelated)).toMatchObject({ name: 'StateFolderInUseError' });
  });

  it('refuses a file in its place, and below a file', async () => {
    writeFileSync(path, '');
    await expect(StateFolder.open(path)).rejects.toThrow(/STATE_DIR: the folder is a file.* \(EEXIST\)/);
    await expect(StateFolder.open(join(path, 'below'))).rejects.toThrow(
      /has a file in its path.* \(ENOTDIR\)/,
    );
  });

  it('refuses a folder of another user', async () => {
    mkdirSync(path, { mode: 0o500 });
    const refused = asOrdinaryUser(() => StateFolder.open(path));
    await expect(refused).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/run the agent as the owner.* \(EACCES\)/),
    });
  });

  it('refuses a file of another user in it, with the name of the file', async () => {
    mkdirSync(path);
    chmodSync(parent, 0o755);
    chmodSync(path, 0o777);
    writeFileSync(join(path, 'lock'), '', { mode: 0o400 });
    await expect(asOrdinaryUser(() => StateFolder.open(path))).rejects.toThrow(
      /"lock" in the folder is not accessible/,
    );
  });
});

/** Calls the function as a user that is not root, because root can access every file. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
