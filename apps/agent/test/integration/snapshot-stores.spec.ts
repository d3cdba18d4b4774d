import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { describeWith, startTestBucketServer, type TestBucketServer } from '@understudy/testing';

import { ConfigurationError } from '../../src/config/agent-configuration.js';
import type { AgentSnapshotStore } from '../../src/snapshots/agent-snapshot-store.js';
import { openSnapshotStore } from '../../src/snapshots/open-snapshot-store.js';
import { prepareSnapshotFolders } from '../../src/snapshots/snapshot-folders.js';

// Uses real folders and a real S3 server, without a running agent.
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'stores-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = (digit: string) => digit.repeat(64);
const keyFile = (name: string, ...keys: string[]) => {
  const path = join(folder, name);
  writeFileSync(path, keys.map((one) => `${one}\n`).join(''));
  return path;
};
const stateDir = (name = 'state') => join(folder, name);

async function keep({ store }: AgentSnapshotStore, id: string): Promise<void> {
  const draft = await store.begin(id);
  await draft.write('toc.dat', Readable.from([Buffer.from('rows')]));
  const at = new Date(0);
  await draft.finish({
    createdAt: at,
    expiresAt: at,
    database: 'd',
    serverVersion: '15',
    tables: [],
    attributes: {},
  });
}
const read = async ({ store }: AgentSnapshotStore, id: string) =>
  (await buffer((await store.open(id)).read('toc.dat'))).toString();

describe('the snapshot store of an agent', () => {
  it('is created in the state folder with its own key and has the same id after a restart', async () => {
    const store = await openSnapshotStore({ stateDir: stateDir(), snapshots: {} });
    await keep(store, 'snap_1-1');
    const again = await openSnapshotStore({ stateDir: stateDir(), snapshots: {} });
    expect(again.id).toBe(store.id);
    expect(again.id).toMatch(/^[0-9a-f]{32}$/);
    expect(await read(again, 'snap_1-1')).toBe('rows');
    const other = await openSnapshotStore({ stateDir: stateDir('other'), snapshots: {} });
    expect(other.id).not.toEqual(store.id);
  });

  it('keeps its id if a new key is added before the old one', async () => {
    const open = (path: string) => openSnapshotStore({ stateDir: stateDir(), snapshots: { keyFile: path } });
    const before = await open(keyFile('old', key('a')));
    await keep(before, 'snap_1-1');
    const after = await open(keyFile('both', key('b'), key('a')));
    expect(after.id).toEqual(before.id);
    expect(await read(after, 'snap_1-1')).toBe('rows');
    await keep(after, 'snap_2-1');
    await expect(read(before, 'snap_2-1')).rejects.toMatchObject({ code: 'archive_key_mismatch' });
    expect((await open(keyFile('new', key('b')))).id).not.toEqual(before.id);
  });

  it('cannot be opened with an invalid key or a missing folder', async () => {
    const open = (snapshots: object) => openSnapshotStore({ stateDir: stateDir(), snapshots });
    await expect(open({ keyFile: keyFile('short', 'abc') })).rejects.toThrow(ConfigurationError);
    await expect(open({ keyFile: join(folder, 'nowhere') })).rejects.toThrow(ConfigurationError);
    await expect(open({ folder: join(folder, 'not-mounted') })).rejects.toThrow(ConfigurationError);
  });

  describeWith('in a bucket', 'swift', () => {
    let server: TestBucketServer;
    beforeAll(async () => {
      server = await startTestBucketServer();
      process.env['AWS_ACCESS_KEY_ID'] = server.owner.accessKeyId;
      process.env['AWS_SECRET_ACCESS_KEY'] = server.owner.secretAccessKey;
      const client = new S3Client({ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true });
      await client.send(new CreateBucketCommand({ Bucket: 'agents' }));
      client.destroy();
    });
    afterAll(() => server.stop());

    it('has the same id for all agents with the same key', async () => {
      const bucket = { name: 'agents', region: 'us-east-1', endpoint: server.endpoint, prefix: 'staging/' };
      const open = (name: string, path: string, prefix = bucket.prefix) =>
        openSnapshotStore({
          stateDir: stateDir(name),
          snapshots: { bucket: { ...bucket, prefix }, keyFile: path },
        });
      const one = await open('one', keyFile('a', key('a')));
      const other = await open('other', keyFile('b', key('a')));
      expect(other.id).toEqual(one.id);
      await keep(one, 'snap_1-1');
      expect(await read(other, 'snap_1-1')).toBe('rows');
      await other.store.remove('snap_1-1');
      await expect(read(one, 'snap_1-1')).rejects.toMatchObject({ code: 'archive_not_found' });
      expect((await open('one', keyFile('c', key('c')))).id).not.toEqual(one.id);
      expect((await open('one', keyFile('a', key('a')), 'else/')).id).not.toEqual(one.id);
    });
  });
});

describe('the working folders of snapshots', () => {
  const prepare = (snapshots: { workFolder?: string }) =>
    prepareSnapshotFolders({ stateDir: stateDir(), snapshots });

  it('are in the state folder by default and readable only by their owner', async () => {
    const { workFolder, recordsFolder } = await prepare({});
    expect([workFolder, recordsFolder]).toEqual([
      stateDir('state/snapshot-work'),
      stateDir('state/snapshot-work'),
    ]);
    expect(statSync(workFolder).mode & 0o777).toBe(0o700);
  });

  it('can include a separate folder for rows, which must exist and be writable', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await expect(prepare({ workFolder: elsewhere })).rejects.toThrow(ConfigurationError);
    mkdirSync(elsewhere);
    expect(await prepare({ workFolder: elsewhere })).toEqual({
      workFolder: elsewhere,
      recordsFolder: stateDir('state/snapshot-work'),
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
