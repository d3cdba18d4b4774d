// Writes and reads one file of so many MiB, and says by how many the memory of the process grew at its highest.
import { Readable } from 'node:stream';
import { FolderPlace, SnapshotStore } from '@understudy/snapshot-store';

const [root, mebibytes] = JSON.parse(process.argv[2]);
const store = new SnapshotStore(new FolderPlace(root), { key: Buffer.alloc(32, 7) });
const piece = Buffer.alloc(2 ** 20, 'row');
const pieces = function* () {
  for (let at = 0; at < mebibytes; at += 1) yield piece;
};
const before = process.memoryUsage().rss;
const draft = await store.begin('large');
await draft.write('1.dat.gz', Readable.from(pieces(), { objectMode: false }));
await draft.finish({
  createdAt: new Date(0),
  expiresAt: new Date(0),
  database: 'shop',
  serverVersion: '15.14',
  tables: [],
  attributes: {},
});
let bytes = 0;
for await (const part of (await store.open('large')).read('1.dat.gz')) bytes += part.length;
if (bytes !== mebibytes * 2 ** 20) throw new Error(`${bytes} bytes came back`);
process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1024 - before / 2 ** 20)}\n`);
