// Writes and reads one file of so many MiB, and says by how many the memory of the process grew at its highest.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { FolderBackend, SnapshotStore } from '@understudy/snapshot-store';

const [root, mebibytes] = JSON.parse(process.argv[2]);
const store = new SnapshotStore(new FolderBackend(root), { key: Buffer.alloc(32, 7) });
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
process.stdout.write(`${Math.round(highestMebibytes() - before / 2 ** 20)}\n`);

/** Not `resourceUsage().maxRSS`: on Linux that begins at what the process that started this one took. */
function highestMebibytes() {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  return Number(kibibytes) / 1024;
}
