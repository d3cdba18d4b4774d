// A program that is killed while it works on a store: argv holds the place, a task and how many archives. It says what it begins and has done.
import { Readable } from 'node:stream';
import { FolderPlace, SnapshotStore } from '@understudy/snapshot-store';

const [place, task, count] = JSON.parse(process.argv[2]);
const store = new SnapshotStore(await openPlace(), { key: Buffer.alloc(32, 7) });
const description = {
  createdAt: new Date(0),
  expiresAt: new Date(0),
  database: 'shop',
  serverVersion: '15.14',
  tables: [],
  attributes: {},
};
const say = (line) => process.stdout.write(`${line}\n`);
const id = (index) => `snap_${String(index).padStart(4, '0')}`;
const bytes = (length) => Readable.from([Buffer.alloc(length)], { objectMode: false });

async function openPlace() {
  if (typeof place === 'string') return new FolderPlace(place);
  const { BucketPlace } = await import('@understudy/snapshot-store/bucket');
  return new BucketPlace(place);
}

async function make(index) {
  const draft = await store.begin(id(index));
  await Promise.all([draft.write('toc.dat', bytes(500)), draft.write('1.dat.gz', bytes(200_000))]);
  await draft.finish(description);
}

const tasks = {
  /** Archives one after the other. */
  make: async () => {
    for (let index = 0; index < count; index += 1) {
      say(`begins ${id(index)}`);
      await make(index);
      say(`done ${id(index)}`);
    }
  },
  /** The same, and then away with them. */
  remove: async () => {
    for (let index = 0; index < count; index += 1) await make(index);
    for (let index = 0; index < count; index += 1) {
      say(`begins ${id(index)}`);
      await store.remove(id(index));
      say(`done ${id(index)}`);
    }
  },
  /** One file without an end. Says how many MiB were taken. */
  endless: async () => {
    const draft = await store.begin(id(0));
    let taken = 0;
    const source = new Readable({
      read() {
        say(`begins ${(taken += 1)}`);
        this.push(Buffer.alloc(2 ** 20));
      },
    });
    await draft.write('1.dat.gz', source);
  },
};
await tasks[task]();
