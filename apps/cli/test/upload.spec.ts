import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { stackDown, stackUp, type StackInfo } from '@understudy/stack';

import { BIN, Workbench } from './run-cli.js';

const run = promisify(execFile);
const PAGE = join(import.meta.dirname, '../../../docs/custom-models.md');
const NAMES = ['Anna', 'Maria', 'Marta', 'Martin', 'Mario', 'Marius', 'Mark', 'Anton', 'Anita', 'Manon'];

const bench = new Workbench();
beforeAll(async () => {
  bench.write('names.txt', NAMES.join('\n'));
  await bench.run(['train', 'names.txt', '--originals', 'none', '--locale', 'en_US', '--out', 'none.ngram']);
});
afterAll(() => bench.remove());

describe('a model of your own', () => {
  let dataDir: string;
  let stack: StackInfo;
  let lines: readonly string[];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'understudy-upload-'));
    stack = await stackUp({ dataDir });
    symlinkSync(BIN, join(bench.folder, 'understudy'));
    const page = readFileSync(PAGE, 'utf8');
    lines = [...page.matchAll(/```\n(.*?)```/gs)].flatMap(([, block = '']) => block.trimEnd().split('\n'));
  });
  afterAll(async () => {
    await stackDown({ dataDir });
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Runs a line of the page as a reader would, with the real curl. */
  async function shell(line: string | undefined): Promise<string> {
    const env = { API: stack.base_url, TOKEN: stack.api_token };
    const path = [bench.folder, process.env['PATH']].join(delimiter);
    const { stdout } = await run('bash', ['-ec', line ?? 'false'], {
      cwd: bench.folder,
      env: { ...process.env, ...env, PATH: path },
    });
    return stdout;
  }

  it('is trained, uploaded with curl and used over REST by the lines that the page shows', async () => {
    const [train, upload, generate] = lines;
    expect(await shell(train)).toContain('10 different values');
    expect(JSON.parse(await shell(upload))).toMatchObject({
      data: { id: 'custom/harbours', locale: 'en_US', type: 'custom', ngram_order: 3 },
    });
    const { data } = JSON.parse(await shell(generate)) as { data: { records: { harbour: string }[] } };
    expect(data.records).toHaveLength(5);
    for (const { harbour } of data.records) expect(harbour).toMatch(/^[AM][a-z]+$/);
  });

  it('is uploaded by understudy, whose second upload of an id is refused with the reason', async () => {
    const upload = lines.at(-1);
    expect(JSON.parse(await shell(upload))).toMatchObject({
      id: 'custom/more-harbours',
      name: 'more-harbours',
    });
    const again = await shell(upload).catch((error: { code: number; stderr: string }) => error);
    expect(again).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/\(409 conflict\): There is a model/),
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

  it('follows no redirect, so the token goes to no other server', async () => {
    const asked: string[] = [];
    const other = await serve((request, response) => void (asked.push(request.url ?? ''), response.end()));
    const url = await serve((_, response) => void response.writeHead(307, { location: other }).end());
    expect(await upload(url)).toMatchObject({ code: 7, out: '', err: expect.stringContaining('status 307') });
    expect(asked).toEqual([]);
  });

  it.each([
    ['text that is no JSON', 500, '<h1>canary</h1>', /received status 500/],
    ['a success without a model', 201, '{}', /201 without a model/],
    ['an answer that never ends', 201, 'x'.repeat(1 << 20), /201 without a model/],
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
    ['http://h.example/v1', 'us_live_x', /http:\/\/ is only accepted for this machine/],
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
    'sends no file that was trained with --originals %s',
    async (originals) => {
      await bench.run(['train', 'names.txt', '--originals', originals, '--out', 'kept.ngram']);
      const asked: string[] = [];
      const url = await serve((request, response) => void (asked.push(request.url ?? ''), response.end()));
      const { code, err } = await upload(url, 'kept.ngram');
      expect([code, err]).toEqual([4, expect.stringContaining('train it again with --originals none')]);
      expect(asked).toEqual([]);
    },
  );

  it('refuses a file that is no model, and one that is missing', async () => {
    writeFileSync(join(bench.folder, 'text.ngram'), 'text');
    expect(await upload('http://127.0.0.1:1/v1', 'text.ngram')).toMatchObject({ code: 3 });
    expect(await upload('http://127.0.0.1:1/v1', 'missing.ngram')).toMatchObject({ code: 3 });
  });
});
