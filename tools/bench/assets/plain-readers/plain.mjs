// Reads a body of NDJSON with as little code as possible, and prints the number of records and the seconds.
// Ends when its input ends. Usage: node plain.mjs <url>
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const startedAt = performance.now();
const { body } = await globalThis.fetch(process.argv[2], { method: 'POST', body: '{}' });
let received = 0;
for await (const line of createInterface({ input: Readable.fromWeb(body) }))
  if (typeof JSON.parse(line) === 'object') received += 1;
console.log(JSON.stringify({ received, seconds: (performance.now() - startedAt) / 1000 }));
process.stdin.resume();
