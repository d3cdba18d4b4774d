import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { FaultServer } from '../../test/support/fault-server.js';
import { Understudy } from '../src/index.js';

const ROOT = join(import.meta.dirname, '../../..');

/** A program that uses the built package in a context that has only globals of browsers. */
const PROGRAM = (baseUrl: string): string => `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const context = createContext({
  AbortController, AbortSignal, Blob, FormData, Headers, Response, TextDecoder, TextEncoder, URL, URLSearchParams,
  WritableStream, atob, btoa, clearTimeout, crypto, fetch, setTimeout,
});
const modules = new Map();
function load(specifier, from) {
  const path = join(from, specifier);
  if (!modules.has(path))
    modules.set(path, new SourceTextModule(readFileSync(path, 'utf8'), { context, identifier: path }));
  return modules.get(path);
}
const page = new SourceTextModule(\`
  import { Understudy, verifyWebhook } from './index.js';
  const client = new Understudy({ token: 'token', baseUrl: '${baseUrl}' });
  const schema = { generators: {}, output: [] };
  const records = await client.generate(schema, 2);
  const csv = await client.generateCsv(schema, 1);
  const noFiles = await client.generateCsv(schema, 1, { to: 'people.csv' }).catch((error) => error.message);
  const noToken = (() => { try { new Understudy(); } catch (error) { return error.message; } })();
  const signature = 'v1,' + btoa('0123456789abcdef'.repeat(2));
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': signature };
  const reason = await verifyWebhook('{}', headers, 'whsec_c2VjcmV0').catch((error) => error.reason);
  export default { records, csv: new TextDecoder().decode(csv), noFiles, noToken, reason };
\`, { context, identifier: 'clients/typescript/dist/page.js' });
await page.link((specifier, { identifier }) => load(specifier, join(identifier, '..')));
await page.evaluate();
console.log(JSON.stringify(page.namespace.default));
`;

describe('in a browser', () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await FaultServer.start();
  });
  afterAll(() => server.stop());

  it('the client needs only the globals of browsers', async () => {
    const csv = { headers: { 'content-type': 'text/csv' }, text: 'id\r\n1\r\n' };
    server.play([{ records: 2 }, csv, csv]);
    const args = ['--experimental-vm-modules', '--input-type=module', '--eval', PROGRAM(server.url)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(JSON.parse(stdout)).toEqual({
      records: [
        { id: 1, name: 'record 1' },
        { id: 2, name: 'record 2' },
      ],
      csv: 'id\r\n1\r\n',
      noFiles: 'to: this runtime has no files. Pass a WritableStream, or omit `to`',
      noToken: expect.stringContaining('UNDERSTUDY_API_TOKEN') as string,
      reason: 'wrong_signature',
    });
    // A browser adds its own header. If the client set one, requests to another origin would need permission.
    expect(server.requests[0]?.headers['user-agent']).not.toContain('understudy');
  });

  it('a hidden redirect is an error', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null };
    const fetch = jest.fn(() => Promise.resolve(hidden as unknown as Response));
    const client = new Understudy({ token: 'token', baseUrl: server.url, fetch });
    await expect(client.jobs.list()).rejects.toMatchObject({ status: 0, code: 'unexpected_redirect' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('a page with a session sends no token', async () => {
    const fetch = jest.fn((url: string, init: RequestInit) =>
      Promise.resolve(Response.json({ data: { url, headers: init.headers } })),
    );
    const client = new Understudy({ token: null, baseUrl: 'https://example.com', fetch });
    const { headers } = (await client.organization.get()) as unknown as { headers: object };
    expect(Object.keys(headers)).toEqual(['Accept', 'User-Agent']);
  });
});
