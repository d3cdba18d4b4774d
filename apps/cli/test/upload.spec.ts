import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { LiveSystem } from '@understudy/testing';

import { Workbench } from './run-cli.js';

const NAMES = ['Anna', 'Maria', 'Marta', 'Martin', 'Mario', 'Marius', 'Mark', 'Anton', 'Anita', 'Manon'];

const bench = new Workbench();
beforeAll(async () => {
  bench.write('names.txt', NAMES.join('\n'));
  await bench.run(['train', 'names.txt', '--originals', 'none', '--locale', 'en_US', '--out', 'none.ngram']);
});
afterAll(() => bench.remove());

describe('a custom model', () => {
  let system: LiveSystem;

  beforeAll(async () => {
    system = await LiveSystem.start(['Acme'], { agents: false });
  });
  afterAll(() => system?.stop());

  it('can be uploaded with understudy, which reports why a second upload of the same id is rejected', async () => {
    const upload = () =>
      bench.run(['upload', 'none.ngram', '--name', 'more-harbours', '--json'], '', {
        UNDERSTUDY_API_URL: system.baseUrl,
        UNDERSTUDY_API_TOKEN: system.of('Acme').token,
      });
    const { out } = await upload();
    expect(JSON.parse(out)).toMatchObject({ id: 'custom/more-harbours', name: 'more-harbours' });
    expect(await upload()).toMatchObject({
      code: 7,
      err: expect.stringMatching(/\(409 conflict\): A model with this id exists already/),
    });
  });
});

describe('understudy upload', () => {
  const servers: Server[] = [];
  afterAll(() => servers.forEach((server) => server.close()));

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  const upload = (url: string, file = 'none.ngram') =>
    bench.run(['upload', file], '', { UNDERSTUDY_API_URL: url, UNDERSTUDY_API_TOKEN: 'us_live_canary' });

  it('follows no redirect, so no other server receives the token', async () => {
    const requests: string[] = [];
    const other = await serve((request, response) => void (requests.push(request.url ?? ''), response.end()));
    const url = await serve((_, response) => void response.writeHead(307, { location: other }).end());
    expect(await upload(url)).toMatchObject({ code: 7, out: '', err: expect.stringContaining('status 307') });
    expect(requests).toEqual([]);
  });

  it.each([
    ['a response that is not JSON', 500, '<h1>canary</h1>', /received status 500/],
    ['a success without a model', 201, '{}', /expected a model in the response, received none/],
    [
      'a response that is too long',
      201,
      'x'.repeat(1 << 20),
      /expected a model in the response, received none/,
    ],
    [
      'control characters',
      422,
      '{"error":{"code":"a\\u001b[2J","message":"b\\u0007"}}',
      /\(422 a \[2J\): b $/m,
    ],
  ])('reports %s in one line', async (_, status, body, message) => {
    const url = await serve((__, response) => void response.writeHead(status).end(body));
    const { code, out, err } = await upload(url);
    expect([code, out, err]).toEqual([7, '', expect.stringMatching(message)]);
    expect(err).not.toMatch(/canary|\bat .*\.js|node:/);
  });

  it('reports an API that cannot be reached, with the cause', async () => {
    const url = await serve(() => undefined);
    await new Promise((resolve) => servers.at(-1)?.close(resolve));
    const { code, err } = await upload(url);
    const { origin } = new URL(url);
    expect([code, err]).toEqual([7, `understudy: cannot reach ${origin}: ECONNREFUSED\n`]);
  });

  it.each([
    ['', 'us_live_x', /UNDERSTUDY_API_URL is not set/],
    ['https://h.example/v1', '', /UNDERSTUDY_API_TOKEN is not set/],
    ['http://h.example/v1', 'us_live_x', /http:\/\/ is accepted only for localhost/],
    ['https://h.example', 'us_live_x', /ends in \/v1/],
    ['https://canary@h.example/v1', 'us_live_x', /no user, password/],
    ['ftp://h.example/v1', 'us_live_x', /ends in \/v1/],
    ['https://h.example/v1', 'canary token', /without spaces/],
  ])('refuses URL "%s" with token "%s" before it connects', async (url, token, message) => {
    const { code, err } = await bench.run(['upload', 'none.ngram'], '', {
      UNDERSTUDY_API_URL: url,
      UNDERSTUDY_API_TOKEN: token,
    });
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    expect(err).not.toContain('canary');
  });

  it.each(['fingerprints', 'values'])(
    'refuses to upload a file that was trained with --originals %s',
    async (originals) => {
      await bench.run(['train', 'names.txt', '--originals', originals, '--out', 'kept.ngram']);
      const requests: string[] = [];
      const url = await serve((request, response) => void (requests.push(request.url ?? ''), response.end()));
      const { code, err } = await upload(url, 'kept.ngram');
      expect([code, err]).toEqual([4, expect.stringContaining('train the model with --originals none')]);
      expect(requests).toEqual([]);
    },
  );

  it('refuses a file that does not exist or contains no model', async () => {
    writeFileSync(join(bench.folder, 'text.ngram'), 'text');
    expect(await upload('http://127.0.0.1:1/v1', 'text.ngram')).toMatchObject({ code: 3 });
    expect(await upload('http://127.0.0.1:1/v1', 'missing.ngram')).toMatchObject({ code: 3 });
  });
});
