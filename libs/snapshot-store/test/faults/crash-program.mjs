// A program that is killed while it works on a store. argv contains the location and a task. It prints each
// step before it begins and after it has ended.
import { Readable } from 'node:stream';
import { FolderBackend, SnapshotStore } from '@understudy/snapshot-store';

const [location, task] = JSON.parse(process.argv[2]);
const store = new SnapshotStore(await openBackend(), { key: Buffer.alloc(32, 7) });
const description = {
  createdAt: new Date(0),
  expiresAt: new Date(0),
  database: 'shop',
  serverVersion: '15.14',
  tables: [],
  attributes: {},
};

async function openBackend() {
  if (typeof location === 'string') return new FolderBackend(location);
  const { BucketBackend } = await import('@understudy/snapshot-store/bucket');
  return new BucketBackend(location);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

async function make(id) {
  print('begins writing');
  const bytes = (length) => Readable.from([Buffer.alloc(length)], { objectMode: false });
  const draft = await store.begin(id);
  await Promise.all([draft.write('toc.dat', bytes(500)), draft.write('1.dat.gz', bytes(200_000))]);
  await draft.finish(description);
  print('done writing');
}

const tasks = {
  makeAndRemove: async () => {
    await make('b');
    print('begins removing');
    await store.remove('b');
    print('done removing');
  },
  /** Writes one file without an end, and prints a line for each MiB. */
  endless: async () => {
    const source = new Readable({
      read() {
        print('begins a MiB');
        this.push(Buffer.alloc(2 ** 20));
      },
    });
    await (await store.begin('b')).write('1.dat.gz', source);
  },
};
await tasks[task]();
