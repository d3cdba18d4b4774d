// Writes and reads one file of the given number of MiB, and prints by how many MiB the peak memory of the
// process grew.
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
if (bytes !== mebibytes * 2 ** 20) throw new Error(`expected ${mebibytes} MiB, read ${bytes} bytes`);
process.stdout.write(`${Math.round(highestMebibytes() - before / 2 ** 20)}\n`);

/**
 * Reads the peak memory of this process. `resourceUsage().maxRSS` does not work: on Linux it begins with the
 * peak of the parent process.
 */
function highestMebibytes() {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  return Number(kibibytes) / 1024;
}
