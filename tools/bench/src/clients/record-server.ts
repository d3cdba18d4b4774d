import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ByteSink } from '@understudy/bytes';
import { compileSchema } from '@understudy/generator';
import { ndjsonRecordWriter } from '@understudy/records';

import { benchOptions } from '../generate/schemas/bench-options.js';
import { personSchema } from '../generate/schemas/person-schema.js';

// A server in its own process. It receives a number of records as its first message, generates them once as
// NDJSON and keeps them in memory. It sends its URL, and then answers every request with the same bytes, so
// that it is much faster than the programs that read them.

/** The size of the parts in which the control plane sends a body. */
const PART_BYTES = 1 << 16;

process.once('message', (message) => {
  const { records } = message as { records: number };
  const parts = personsAsNdjson(records);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const headers = {
    'content-type': 'application/x-ndjson',
    'x-generation-seed': '1',
    'x-generation-count': String(records),
    'x-generation-now': '2026-01-01T00:00:00.000Z',
    'x-generation-warnings': '0',
    'x-generation-engine-version': '1',
  };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, headers);
    // A client that stops early closes the connection. Its own process reports the failure.
    pipeline(Readable.from(parts), response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes });
  });
});
process.once('disconnect', () => process.exit(0));

function personsAsNdjson(records: number): readonly Buffer[] {
  const plan = compileSchema(personSchema('lists'), benchOptions());
  const writer = ndjsonRecordWriter(plan.output);
  const sink = new ByteSink(2 * PART_BYTES);
  const cursor = plan.open(1);
  const parts: Buffer[] = [];
  for (let index = 0; index < records; index++) {
    cursor.moveTo(index);
    writer.write(cursor.values, sink);
    if (sink.length >= PART_BYTES) parts.push(Buffer.from(sink.take()));
  }
  parts.push(Buffer.from(sink.take()));
  return parts;
}
