import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FaultServer } from '../../test/support/fault-server.js';
import { Understudy } from '../src/index.js';

const SCHEMA = { generators: {}, output: [] };
const FILE = 'id,note\r\n1,"two\nlines, ""quoted"""\r\n2,plain\r\n';
const CSV = { headers: { 'content-type': 'text/csv', 'x-generation-count': '2' } };

describe('a CSV file', () => {
  let server: FaultServer;
  let client: Understudy;
  let folder: string;
  beforeAll(async () => {
    server = await FaultServer.start();
    client = new Understudy({ token: 'token', baseUrl: server.url });
    folder = mkdtempSync(join(tmpdir(), 'understudy-client-'));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is written to a stream, which is then closed', async () => {
    server.play([{ ...CSV, text: FILE, split: 5 }]);
    let text = '';
    let isClosed = false;
    const to = new WritableStream<Uint8Array>({
      write: (chunk) => void (text += new TextDecoder().decode(chunk)),
      close: () => void (isClosed = true),
    });
    const info = await client.generateCsv(SCHEMA, 2, { to });
    expect({ text, isClosed, count: info.count }).toEqual({ text: FILE, isClosed: true, count: 2 });
  });

  it('aborts the stream if the file is not complete', async () => {
    server.play([{ ...CSV, text: FILE.slice(0, -9) }]);
    let reason: unknown;
    const to = new WritableStream<Uint8Array>({ abort: (error: unknown) => void (reason = error) });
    const call = client.generateCsv(SCHEMA, 2, { to });
    await expect(call).rejects.toMatchObject({ name: 'StreamInterruptedError', received: 1, expected: 2 });
    expect(reason).toMatchObject({ name: 'StreamInterruptedError' });
  });

  it('replaces a file only when it is complete', async () => {
    const path = join(folder, 'people.csv');
    writeFileSync(path, 'old');
    server.play([
      { ...CSV, text: FILE.slice(0, -9) },
      { ...CSV, text: FILE },
    ]);
    await expect(client.generateCsv(SCHEMA, 2, { to: path })).rejects.toThrow('received 1 of 2 records');
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['people.csv'], 'old']);
    await client.generateCsv(SCHEMA, 2, { to: path });
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['people.csv'], FILE]);
  });

  it('is refused if it ends within a row, at any byte', async () => {
    const start = FILE.indexOf('2,plain');
    for (let size = start; size < FILE.length; size++) {
      server.play([{ ...CSV, text: FILE.slice(0, size) }]);
      await expect(client.generateCsv(SCHEMA, 2)).rejects.toMatchObject({ received: 1, expected: 2 });
    }
  });

  it.each([
    ['has more records than announced', 'a,b\r\n', 'more records than it announced'],
    ['has a record that does not end', 'aaaaaa', 'a record is larger than 16777216 bytes'],
  ])('is refused if it %s', async (_, text, message) => {
    server.play([{ ...CSV, repeat: { text, times: 1e9 } }]);
    await expect(client.generateCsv(SCHEMA, 2)).rejects.toThrow(message);
    expect(await server.lastEnd()).toBe('closed by the client');
  });

  it('closes the connection if the file cannot be written', async () => {
    server.play([{ ...CSV, repeat: { text: 'a,b\r\n', times: 1e9 } }]);
    const to = join(folder, 'missing', 'people.csv');
    await expect(client.generateCsv(SCHEMA, 2, { to })).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await server.lastEnd()).toBe('closed by the client');
  });
});
