import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv, promisify } from 'node:util';

import { freePort } from '@understudy/local-system';
import { ensureBinaries } from '@understudy/testing/provision';
import {
  createTestDatabase,
  sharedTestServices,
  type TestDatabase,
  type SharedTestServices,
} from '@understudy/testing';

import { readConfiguration } from '../../../src/platform/config/configuration.js';
import { runCommand, type RunOptions } from './run-command.js';

const WRITE_FOLDER = join(import.meta.dirname, '../../../dist/commands/init/write-folder.js');
const AWAY = 'postgresql://understudy:canary@127.0.0.1:1/none';
const FILES = ['Caddyfile', 'control-plane.env', 'nats.conf', 'nginx.conf', 'secrets'];

let parent: string;
let services: SharedTestServices;
let database: TestDatabase;
beforeAll(async () => {
  services = await sharedTestServices({ postgres: true, redis: true });
  database = await createTestDatabase(services.postgresUrl);
});
afterAll(async () => {
  await services?.stop();
});
beforeEach(() => (parent = mkdtempSync(join(tmpdir(), 'understudy-init-'))));
afterEach(() => rmSync(parent, { recursive: true }));

const folder = () => join(parent, 'understudy');
const init = (args: readonly string[] = [], options: RunOptions = { input: `${AWAY}\n` }) =>
  runCommand(
    [
      'init',
      '--folder',
      folder(),
      '--public-url',
      'https://understudy.example.com',
      '--database-url-file',
      '-',
      ...args,
    ],
    options,
  );
const variables = () => parseEnv(readFileSync(join(folder(), 'control-plane.env'), 'utf8'));
const modeOf = (...path: string[]) => (statSync(join(folder(), ...path)).mode & 0o777).toString(8);

describe('understudy-control-plane init', () => {
  it('writes a configuration that the server accepts, checks the services and prints the next steps', async () => {
    const input = `${database.url}\n${services.redisUrl}\n`;
    const natsUrl = `nats://127.0.0.1:${await freePort()}`;
    const ports = ['--port', '0', '--ops-port', '0', '--nats-url', natsUrl];
    const { code, stdout, stderr } = await init(['--redis-url-file', '-', ...ports], { input });
    expect([stderr, code]).toEqual(['', 0]);
    expect(readdirSync(folder()).sort()).toEqual(FILES);
    const configuration = readConfiguration(variables());
    expect(configuration).toMatchObject({
      database: { url: database.url },
      redis: { url: services.redisUrl },
      http: { publicUrl: 'https://understudy.example.com', trustedProxies: ['127.0.0.1'] },
      nats: { url: natsUrl, publicUrl: 'wss://understudy.example.com/nats' },
    });
    expect(stdout).toMatch(/^ok +PostgreSQL +version \d+/m);
    expect(stdout).toMatch(/^ok +Redis +version \d+/m);
    expect(stdout).toMatch(/^warn +NATS .*: start it: nats-server -c '?.+\/understudy\/nats\.conf'?$/m);
    expect(stdout).toMatch(
      /Next steps:\n {2}1\. Start NATS: [^]*check\n[^]*migrate\n[^]*bootstrap[^]*start\n$/,
    );
    const { password } = new URL(database.url);
    for (const secret of [password, configuration.ops.password, configuration.nats.operatorSeed])
      expect(stdout).not.toContain(secret);
  });

  it('warns about a running NATS server, because no server can trust new secrets yet', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const natsUrl = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const input = `${database.url}\n${services.redisUrl}\n`;
    const ports = ['--port', '0', '--ops-port', '0', '--nats-url', natsUrl];
    const { code, stdout } = await init(['--redis-url-file', '-', ...ports], { input });
    server.close();
    expect(stdout).toMatch(
      /^warn +NATS +a server with another configuration runs at 127\.0\.0\.1:\d+: stop it, /m,
    );
    expect(code).toBe(0);
  });

  it('lets only its own user read the files with any umask', async () => {
    const previous = process.umask(0);
    try {
      await init();
    } finally {
      process.umask(previous);
    }
    expect([modeOf(), modeOf('secrets')]).toEqual(['700', '700']);
    const files = [
      ...FILES.slice(0, 4),
      ...readdirSync(join(folder(), 'secrets')).map((name) => join('secrets', name)),
    ];
    expect(new Set(files.map((file) => modeOf(file)))).toEqual(new Set(['600']));
    expect(files).toHaveLength(12);
  });

  it('creates new secrets each time', async () => {
    await init();
    const first = readConfiguration(variables());
    rmSync(folder(), { recursive: true });
    await init();
    const { nats, ops, webhooks } = readConfiguration(variables());
    expect(nats.url).toBe('nats://127.0.0.1:4222');
    expect(nats.operatorSeed).not.toBe(first.nats.operatorSeed);
    expect(ops.password).not.toBe(first.ops.password);
    expect(webhooks.secretsKey).not.toBe(first.webhooks.secretsKey);
  });

  it.each([
    ['WebSocket behind the reverse proxy', [], /websocket: \{\n {2}host: "127\.0\.0\.1"\n {2}port: 9222/],
    [
      'TLS',
      ['--nats-tls-cert', '/etc/ssl/nats.crt', '--nats-tls-key', '/etc/ssl/nats.key'],
      /^host: "0\.0\.0\.0"\nport: 4222\n[^]*cert_file: "\/etc\/ssl\/nats\.crt"(?![^]*websocket)/,
    ],
  ])('writes a configuration of NATS with %s and monitoring', async (_, args, expected) => {
    await init(['--nats-folder', parent, ...args]);
    const text = readFileSync(join(folder(), 'nats.conf'), 'utf8');
    expect(text).toMatch(expected);
    expect(text).toContain('http: "127.0.0.1:8222"');
    if (args.length > 0) return; // nats-server checks that the certificate exists
    const { nats } = await ensureBinaries();
    await promisify(execFile)(nats.path, ['-t', '-c', join(folder(), 'nats.conf')]);
  });

  it('prints one JSON object with --json', async () => {
    const { code, stdout } = await init(['--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      folder: folder(),
      files: expect.arrayContaining([join(folder(), 'nats.conf')]),
      checks: expect.arrayContaining([expect.objectContaining({ step: 'PostgreSQL', state: 'fail' })]),
    });
    expect(stdout).not.toContain('canary');
  });

  it('quotes a folder with spaces in the commands that it prints', async () => {
    const odd = join(parent, 'my folder тест');
    const { stdout } = await runCommand(
      ['init', '--folder', odd, '--public-url', 'https://u.example.com', '--database-url-file', '-'],
      { input: AWAY },
    );
    const command = /Check again: understudy-control-plane --config (.+) check$/m.exec(stdout)?.[1] ?? '';
    const shell = await promisify(execFile)('sh', ['-c', `printf %s ${command}`]);
    expect(shell.stdout).toBe(join(odd, 'control-plane.env'));
  });

  it('changes nothing when it runs a second time in the folder, and reports what exists', async () => {
    await init();
    const before = readFileSync(join(folder(), 'nats.conf'), 'utf8');
    const { code, stdout, stderr } = await init();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`is not empty, and nothing in it was changed. It contains ${FILES.join(', ')}.`);
    expect(readFileSync(join(folder(), 'nats.conf'), 'utf8')).toBe(before);
    expect(readdirSync(parent)).toEqual(['understudy']);
  });

  it('leaves nothing if it is killed between two files, and can be repeated', async () => {
    const script = `import { writeFolder } from ${JSON.stringify(pathToFileURL(WRITE_FOLDER).href)};
      function* files() {
        yield { path: 'secrets/first', text: 'x' };
        process.kill(process.pid, 'SIGKILL');
        yield { path: 'second', text: 'x' };
      }
      writeFolder(${JSON.stringify(folder())}, files());`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const [, signal] = (await once(child, 'exit')) as [null, string];
    expect(signal).toBe('SIGKILL');
    expect(existsSync(folder())).toBe(false);
    expect(readdirSync(parent)).toHaveLength(1);
    await init();
    expect(readdirSync(parent)).toEqual(['understudy']);
    expect(readdirSync(folder()).sort()).toEqual(FILES);
  });

  it('accepts an existing empty folder', async () => {
    mkdirSync(folder());
    await init();
    expect(readdirSync(folder()).sort()).toEqual(FILES);
  });

  it('needs no folder for temporary files', async () => {
    await init([], { input: AWAY, environment: { TMPDIR: '/nonexistent' } });
    expect(readdirSync(folder()).sort()).toEqual(FILES);
  });

  it('explains to an unprivileged user that the folder cannot be written', async () => {
    chmodSync(parent, 0o555);
    const { code, stderr } = await init([], { input: AWAY, isOrdinaryUser: true });
    expect(code).toBe(1);
    expect(stderr).toMatch(/this user cannot create .+ \(EACCES\); run the command as a user who can/);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('reports a parent folder that is missing, and a file in the place of the folder', async () => {
    rmSync(parent, { recursive: true });
    expect((await init()).stderr).toContain(`the folder ${parent} does not exist; create it first`);
    mkdirSync(parent);
    writeFileSync(folder(), '');
    expect(await init()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be listed (ENOTDIR)'),
    });
  });

  it.each<[string, string[], string, string]>([
    [
      'a URL that is not of PostgreSQL',
      [],
      'mysql://u:canary@127.0.0.1/d',
      'UNDERSTUDY_DATABASE_URL must be a URL',
    ],
    ['an empty input', [], '', '--database-url-file is -, but the standard input has no line for it'],
    ['an invalid URL of NATS', ['--nats-url', 'x'], AWAY, 'UNDERSTUDY_NATS_URL must be a URL'],
    ['a public URL with a path', ['--public-url', 'https://a.example/v1'], AWAY, 'Expected only a protocol'],
    ['a public URL in plain text', ['--public-url', 'http://a.example'], AWAY, 'Expected https://'],
    ['a relative folder', ['--folder', 'etc'], AWAY, 'Expected an absolute path'],
    [
      'a certificate without its key',
      ['--nats-tls-cert', '/a'],
      AWAY,
      '--nats-tls-cert and --nats-tls-key together',
    ],
    ['TLS of NATS without a certificate', ['--nats-url', 'tls://a.example'], AWAY, 'needs --nats-tls-cert'],
    ['a port that does not exist', ['--port', '65536'], AWAY, 'Expected a port number'],
    ['a folder as a secret', ['--redis-url-file', '/'], AWAY, '--redis-url-file must name a regular file'],
  ])(
    'refuses %s with exit code 2, writes nothing and quotes no password',
    async (_, args, input, problem) => {
      const { code, stdout, stderr } = await init(args, { input });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(problem);
      expect(stderr).not.toContain('canary');
      expect(readdirSync(parent)).toEqual([]);
    },
  );

  it('requires the URL of PostgreSQL if it cannot ask for it', async () => {
    const run = await runCommand(['init', '--folder', folder(), '--public-url', 'https://a.example']);
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--database-url-file is required'),
    });
  });
});

describe('understudy-control-plane compose-environment', () => {
  it('writes the variables of docker-compose.yml once, for its own user only', async () => {
    const file = join(parent, '.env');
    expect(await runCommand(['compose-environment', file])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const compose = readFileSync(join(import.meta.dirname, '../../../../../docker-compose.yml'), 'utf8');
    const needed = new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect(new Set(Object.keys(parseEnv(readFileSync(file, 'utf8'))))).toEqual(needed);
    const again = await runCommand(['compose-environment', file]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists and was not changed') });
  });
});
