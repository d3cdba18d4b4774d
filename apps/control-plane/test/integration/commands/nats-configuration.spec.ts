import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { generateNatsSeeds } from '@understudy/agent-protocol/nats-trust';
import { ensureBinaries } from '@understudy/testing/provision';
import { TestAuthority } from '@understudy/testing';

const CLI = join(import.meta.dirname, '../../../dist/bundle/cli.js');
const run = promisify(execFile);

let folder: string;
let server: string;
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  server = (await ensureBinaries()).nats.path;
  folder = mkdtempSync(join(tmpdir(), 'understudy-nats-configuration-'));
  const { cert, key } = await (await TestAuthority.create()).issue(['nats.test']);
  writeFileSync(file('cert.pem'), cert);
  writeFileSync(file('key.pem'), key);
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, ...options: string[]) {
  const seeds = generateNatsSeeds();
  return run(process.execPath, [CLI, 'nats-configuration', file(name), file('data'), ...options], {
    env: {
      PATH: process.env['PATH'],
      UNDERSTUDY_NATS_OPERATOR_SEED: seeds.operator,
      UNDERSTUDY_NATS_ACCOUNT_SEED: seeds.account,
      UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: seeds.agentAccount,
      UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: seeds.systemAccount,
    },
  });
}

const tls = () => ['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')];

describe('understudy-control-plane nats-configuration', () => {
  it.each<[string, () => string[], RegExp]>([
    ['plaintext on loopback', () => [], /^host: "127\.0\.0\.1"\nport: 4222\n[^]*http: "127\.0\.0\.1:8222"/],
    ['TLS on all addresses', tls, /^host: "0\.0\.0\.0"\n[^]*tls: \{\n {2}cert_file: [^]*timeout: 30/],
    [
      'WebSocket behind a reverse proxy',
      () => [...tls(), '--websocket-port', '9222'],
      /host: "127\.0\.0\.1"\n {2}port: 9222[^]*no_tls: true/,
    ],
    [
      'WebSocket with TLS',
      () => [...tls(), '--websocket-port', '9222', '--websocket-host', '0.0.0.0', '--websocket-tls'],
      /websocket: \{\n {2}host: "0\.0\.0\.0"[^]*tls: \{\n {4}cert_file/,
    ],
    [
      'other ports',
      () => ['--host', '::1', '--port', '5222', '--monitoring-port', '0'],
      /^host: "::1"\nport: 5222/,
    ],
  ])('writes a configuration with %s that the server accepts', async (name, options, expected) => {
    await write(name, ...options());
    expect(readFileSync(file(name), 'utf8')).toMatch(expected);
    await run(server, ['-t', '-c', file(name)]);
  });

  it('does not change an existing file', async () => {
    writeFileSync(file('existing'), 'kept');
    await write('existing', ...tls());
    expect(readFileSync(file('existing'), 'utf8')).toBe('kept');
  });

  it.each<[string, string[], string]>([
    ['a certificate without its key', ['--tls-cert', '/cert.pem'], '--tls-cert and --tls-key together'],
    ['a relative path', ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'], 'Expected an absolute path'],
    [
      'a TLS listener without a certificate',
      ['--websocket-port', '1', '--websocket-tls'],
      'needs --tls-cert',
    ],
    [
      'plaintext WebSocket for other machines',
      ['--websocket-port', '9222', '--websocket-host', '0.0.0.0'],
      'expected a loopback address',
    ],
    ['an invalid port', ['--port', '70000'], 'Expected a port number'],
    ['an unknown option', ['--tls'], '--tls'],
  ])('refuses %s and reports the problem', async (_, options, problem) => {
    await expect(write('refused', ...options)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(problem),
    });
    expect(() => readFileSync(file('refused'))).toThrow('ENOENT');
  });
});
