import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';

import { createUserSeed, generateNatsSeeds } from '@understudy/agent-protocol/nats-trust';
import {
  asOrdinaryUser,
  createTestDatabase,
  startTestServices,
  TestAuthority,
  type TestDatabase,
  type TestServices,
  waitFor,
} from '@understudy/testing';

import { runCheck } from '../../src/commands/check/run-check.js';
import { AGENT_ID, TestControlPlane } from './link-control-plane.js';
import { SupervisedAgent } from './supervised-agent.js';

// Runs the built program against real servers: PostgreSQL, NATS and HTTPS servers with certificates of a test
// authority. Only the control plane is simulated.
const CLI = join(import.meta.dirname, '../../dist/bundle/cli.js');
const TOKEN = `us_enrol_${'x'.repeat(43)}`;

interface Line {
  readonly step: string;
  readonly state: string;
  readonly facts: string;
  readonly remedy: string | null;
}

interface ServerOptions {
  readonly days?: object;
  readonly status?: number;
  readonly body?: string;
  /** The difference of the server's clock; NaN for an invalid header. */
  readonly aheadMs?: number;
  readonly renewal?: { readonly status: number; readonly body: string };
}

interface Checked {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let folder: string;
let services: TestServices;
let database: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-check-'));
  chmodSync(folder, 0o755);
  services = await startTestServices({ nats: true, postgres: true });
  database = await createTestDatabase(
    services.postgresUrl,
    `CREATE TABLE orders (id int PRIMARY KEY);
     CREATE ROLE reader LOGIN PASSWORD 'pw-of-reader';
     CREATE ROLE stranger LOGIN PASSWORD 'pw-of-stranger';
     GRANT SELECT ON orders TO reader;`,
  );
});
afterAll(async () => {
  await services.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the policy file, and returns the environment of an agent whose control plane is at the URL. */
function environment(
  name: string,
  controlUrl: string,
  databases: Record<string, { url: string; roles: string[] }> = {},
): Record<string, string> {
  const policyFile = join(folder, `${name}.yaml`);
  writeFileSync(policyFile, JSON.stringify({ databases }));
  return {
    PATH: process.env['PATH'] ?? '',
    UNDERSTUDY_AGENT_STATE_DIR: join(folder, name),
    UNDERSTUDY_AGENT_POLICY_FILE: policyFile,
    UNDERSTUDY_CONTROL_URL: controlUrl,
    UNDERSTUDY_AGENT_ENROLMENT_TOKEN: TOKEN,
  };
}

/** Runs the program as another user, or with the text that it prints for people. */
function runProgram(
  env: Record<string, string>,
  args: readonly string[] = ['--json'],
  isOrdinaryUser = false,
): Promise<Checked> {
  const command = [CLI, 'check', ...args];
  const [program, parameters] = isOrdinaryUser
    ? asOrdinaryUser(process.execPath, command)
    : [process.execPath, command];
  return new Promise((resolve) => {
    execFile(program, parameters, { env, cwd: '/' }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

/** Runs the command in this process, which saves the start of a process. */
async function check(environment: Record<string, string>): Promise<Checked> {
  const printed = { out: '', err: '' };
  const code = await runCheck({
    environment,
    json: true,
    write: (text) => (printed.out += text),
    note: (text) => (printed.err += text),
  });
  return { code, ...printed };
}

const linesOf = ({ out }: Checked) => JSON.parse(out) as Line[];
const lineOf = (checked: Checked, step: string) => linesOf(checked).find((line) => line.step === step);
const statesOf = (checked: Checked) =>
  Object.fromEntries(linesOf(checked).map(({ step, state }) => [step, state]));

const urlOf = (user: string, password: string, name = database.name) => {
  const url = new URL(services.postgresUrl);
  return `postgresql://${user}:${password}@${url.hostname}:${url.port}/${name}`;
};

describe('understudy-agent check of a working environment', () => {
  let plane: TestControlPlane;
  let env: Record<string, string>;
  beforeAll(async () => {
    plane = await TestControlPlane.start(services);
    env = environment('working', plane.url, {
      shop: { url: urlOf('reader', 'pw-of-reader'), roles: ['source'] },
    });
  });
  afterAll(() => plane.stop());

  it('passes before the agent is enrolled, changes nothing, and does not use the enrolment token', async () => {
    const text = await runProgram(env, []);
    expect([text.code, text.err]).toEqual([0, '']);
    expect(text.out).toMatch(/^ok {4}control plane name {7}127\.0\.0\.1 is an address$/m);
    expect(text.out).toMatch(/^ok {4}state folder {13}does not exist yet; the agent creates it$/m);
    expect(text.out).toMatch(/^skip {2}credential {15}because the agent is not enrolled yet$/m);
    const checked = await check(env);
    expect(checked.code).toBe(0);
    expect(statesOf(checked)).toEqual({
      configuration: 'ok',
      'state folder': 'ok',
      'free space': 'ok',
      'masking key': 'skip',
      policy: 'ok',
      'snapshot store': 'skip',
      'control plane name': 'ok',
      'control plane TCP': 'ok',
      'control plane TLS': 'skip',
      'control plane API': 'ok',
      clock: 'ok',
      'enrolment token': 'ok',
      credential: 'skip',
      NATS: 'skip',
      'database shop': 'ok',
      'database shop privileges': 'ok',
      'database shop pg_dump': 'ok',
    });
    expect(lineOf(checked, 'enrolment token')?.facts).toBe(
      'the format is right; a token works once, so it cannot be checked without using it',
    );
    expect(lineOf(checked, 'database shop')?.facts).toMatch(
      /^PostgreSQL [\d.]+.*, role reader, not encrypted, as source$/,
    );
    expect(() => chmodSync(env['UNDERSTUDY_AGENT_STATE_DIR'] ?? '', 0o700)).toThrow('ENOENT');
    expect(plane.beats).toEqual([]);
  });

  it('sends nothing as the agent while it runs, and otherwise proves that its identity is accepted', async () => {
    const running = { ...env, UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'one-time' };
    const agent = new SupervisedAgent(running);
    await waitFor('a heartbeat', async () => plane.beats.length > 0);
    const beside = await check(running);
    expect(beside.code).toBe(0);
    expect(lineOf(beside, 'state folder')?.facts).toBe(`writable, process ${agent.pid} runs on it`);
    expect(lineOf(beside, 'credential')).toMatchObject({
      state: 'skip',
      facts: 'because an agent runs with this identity; "understudy-agent status" prints its state',
    });
    expect(statesOf(beside)).toMatchObject({ 'NATS TCP': 'ok', 'NATS credential': 'skip' });
    await agent.stop('SIGTERM');
    const byTheAgent = plane.renewals.length;
    const after = await check(running);
    expect(after.code).toBe(0);
    // A renewal that names no process does not take the identity over from an agent on another machine.
    expect(plane.renewals.slice(byTheAgent)).toEqual([{ instance: undefined }]);
    expect(lineOf(after, 'credential')?.facts).toBe(`the control plane accepts ${AGENT_ID}`);
    expect(lineOf(after, 'NATS credential')).toMatchObject({
      state: 'ok',
      facts: 'NATS accepts the credential',
    });
    expect(lineOf(after, 'enrolment token')).toMatchObject({
      state: 'warn',
      remedy:
        'the agent ignores it; remove UNDERSTUDY_AGENT_ENROLMENT_TOKEN from the environment, or delete its file',
    });
  });

  it('reports that the control plane refuses an unknown agent, and that NATS refuses its credential', async () => {
    const { natsSeeds, natsUrl } = services;
    const other = await TestControlPlane.start({
      ...services,
      natsUrl,
      natsSeeds: { ...natsSeeds, agentAccount: generateNatsSeeds().agentAccount },
    });
    try {
      const stranger = { ...env, UNDERSTUDY_CONTROL_URL: other.url };
      const refused = await check(stranger);
      expect(refused.code).toBe(1);
      expect(lineOf(refused, 'credential')).toMatchObject({
        state: 'fail',
        remedy: 'enrol the agent again with a new state folder',
      });
      other.trust(plane);
      const untrusted = await check(stranger);
      expect(lineOf(untrusted, 'NATS credential')).toMatchObject({
        state: 'fail',
        facts: expect.stringContaining('NATS refused the connection'),
        remedy: expect.stringContaining('check that the control plane can reach this NATS server'),
      });
    } finally {
      await other.stop();
    }
  });
});

describe('understudy-agent check of a control plane behind HTTPS', () => {
  let authority: TestAuthority;
  let caFile: string;
  const servers: HttpsServer[] = [];
  beforeAll(async () => {
    authority = await TestAuthority.create('Acme root');
    caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, authority.ca);
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  /** Starts a server with a certificate for the names. @returns the port */
  async function serve(
    names: readonly string[],
    {
      days = {},
      status = 401,
      body = '{"error":{"code":"unauthorized"}}',
      aheadMs = 0,
      renewal = { status, body },
    }: ServerOptions = {},
  ): Promise<number> {
    const server = createHttpsServer(await authority.issue(names, days), (request, response) => {
      const date = Number.isNaN(aheadMs) ? 'unknown' : new Date(Date.now() + aheadMs).toUTCString();
      const answer = request.url === '/v1/agents/renew' ? renewal : { status, body };
      response.writeHead(answer.status, { 'content-type': 'application/json', date }).end(answer.body);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Returns the environment of an agent that is enrolled and does not run. */
  function enrolled(controlUrl: string, natsUrls: readonly string[]): Record<string, string> {
    const env = environment('enrolled', controlUrl);
    const key = Buffer.alloc(32).toString('base64');
    const identity = {
      agent_id: AGENT_ID,
      organization_id: 'org_1',
      nats_urls: natsUrls,
      nats_seed: createUserSeed(),
      ...{ sealing_public_key: key, sealing_private_key: key, masking_key: key, model_key: key },
    };
    const state = env['UNDERSTUDY_AGENT_STATE_DIR'] ?? '';
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(join(state, 'identity.json'), JSON.stringify(identity));
    return { ...env, UNDERSTUDY_CA_FILE: caFile };
  }

  const checkAt = (
    port: number,
    path = '/v1',
    more: Record<string, string> = { UNDERSTUDY_CA_FILE: caFile },
  ) => check({ ...environment('https', `https://localhost:${port}${path}`), ...more });

  it('prints the protocol, the names, the issuer and the end of the certificate', async () => {
    const port = await serve(['localhost', 'cp.example.com'], { days: { toDays: 30 } });
    const checked = await checkAt(port);
    expect(lineOf(checked, 'control plane TLS')).toEqual({
      step: 'control plane TLS',
      state: 'ok',
      facts: expect.stringMatching(
        /^TLSv1\.3, certificate for localhost, cp\.example\.com, issuer "Acme root", valid until 20[\d-]+T[\d:.]+Z$/,
      ),
      remedy: null,
    });
    expect(lineOf(checked, 'control plane name')?.facts).toMatch(/^localhost resolves to 127\.0\.0\.1/);
    expect(statesOf(checked)).toMatchObject({ 'control plane API': 'ok', clock: 'ok' });
  });

  it('warns about a certificate that ends soon', async () => {
    const checked = await checkAt(await serve(['localhost']));
    expect(lineOf(checked, 'control plane TLS')).toMatchObject({
      state: 'warn',
      remedy: expect.stringMatching(/^renew the certificate: it expires in [01] days$/),
    });
  });

  it.each<[string, string[], object, boolean, RegExp, RegExp]>([
    [
      'an unknown authority',
      ['localhost'],
      {},
      false,
      /not trusted.*issuer "Acme root"/,
      /^set UNDERSTUDY_CA_FILE to a file/,
    ],
    [
      'another name',
      ['nats.example.com'],
      {},
      true,
      /not for localhost, but for nats/,
      /^use one of its names/,
    ],
    ['an expired certificate', ['localhost'], { fromDays: -3, toDays: -2 }, true, /has expired/, /^renew it/],
    [
      'a certificate that is not valid yet',
      ['localhost'],
      { fromDays: 2, toDays: 3 },
      true,
      /not valid before/,
      /^correct the clock/,
    ],
  ])('explains %s, and skips the steps that depend on it', async (_, names, days, hasCa, facts, remedy) => {
    const checked = await checkAt(
      await serve(names, { days }),
      '/v1',
      hasCa ? { UNDERSTUDY_CA_FILE: caFile } : {},
    );
    expect(checked.code).toBe(1);
    expect(lineOf(checked, 'control plane TLS')).toMatchObject({
      state: 'fail',
      facts: expect.stringMatching(facts),
      remedy: expect.stringMatching(remedy),
    });
    expect(lineOf(checked, 'control plane API')).toMatchObject({
      state: 'skip',
      facts: 'because the control plane cannot be reached',
    });
  });

  it('reports a clock that differs', async () => {
    const behind = await checkAt(await serve(['localhost'], { aheadMs: 3_600_000 }));
    expect(lineOf(behind, 'clock')).toMatchObject({
      state: 'fail',
      facts: expect.stringMatching(/^this clock is (3599|3600|3601) s behind the control plane's$/),
      remedy: 'correct the clock, for example with NTP; the limit is 60 s',
    });
    const unknown = await checkAt(await serve(['localhost'], { aheadMs: Number.NaN }));
    expect(lineOf(unknown, 'clock')?.remedy).toBe('let the reverse proxy pass it on');
    const ahead = await checkAt(await serve(['localhost'], { aheadMs: -30_000 }));
    expect(lineOf(ahead, 'clock')).toMatchObject({
      state: 'warn',
      facts: expect.stringMatching(/^this clock is (29|30|31|32) s ahead of/),
      remedy: 'correct the clock, for example with NTP',
    });
  });

  it.each([
    [
      'a reverse proxy without its control plane',
      502,
      /^a reverse proxy responds, but the control plane behind it/,
    ],
    ['a URL that is not the API', 404, /^check that UNDERSTUDY_CONTROL_URL ends with \/v1$/],
  ])('explains the response of %s', async (_, status, remedy) => {
    const checked = await checkAt(await serve(['localhost'], { status, body: '<html></html>' }), '');
    expect(lineOf(checked, 'control plane API')).toMatchObject({
      state: 'fail',
      facts: `status ${status}, and the response is not from the API of a control plane`,
      remedy: expect.stringMatching(remedy),
    });
    expect(lineOf(checked, 'clock')).toMatchObject({
      state: 'skip',
      facts: 'because the API does not respond',
    });
  });

  it('reaches the control plane through the proxy, and explains a proxy that cannot be used', async () => {
    const port = await serve(['localhost'], { days: { toDays: 30 } });
    let status = 200;
    const proxy = createHttpServer().on('connect', (_, client: Socket) => {
      client.on('error', () => undefined).write(`HTTP/1.1 ${status} -\r\n\r\n`);
      if (status === 200) client.pipe(connect(port, '127.0.0.1').on('error', () => undefined)).pipe(client);
      else client.end();
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port: proxyPort } = proxy.address() as AddressInfo;
    const checkThrough = (at: number) =>
      checkAt(443, '/v1', { UNDERSTUDY_CA_FILE: caFile, HTTPS_PROXY: `http://user:hidden@127.0.0.1:${at}` });
    const through = await checkThrough(proxyPort);
    expect(lineOf(through, 'control plane name')?.facts).toBe(
      `the proxy 127.0.0.1:${proxyPort} resolves localhost`,
    );
    expect(lineOf(through, 'control plane TCP')?.facts).toBe(
      `localhost:443 accepts connections through the proxy 127.0.0.1:${proxyPort}`,
    );
    expect(statesOf(through)).toMatchObject({ 'control plane TLS': 'ok', 'control plane API': 'ok' });
    status = 407;
    const refused = await checkThrough(proxyPort);
    expect(lineOf(refused, 'control plane TCP')).toMatchObject({
      state: 'fail',
      facts: expect.stringContaining('refused the credentials (status 407)'),
      remedy: expect.stringContaining('set them in HTTPS_PROXY'),
    });
    const away = await checkThrough(1);
    expect(lineOf(away, 'control plane TCP')?.remedy).toMatch(/check HTTPS_PROXY$/);
    for (const { out } of [through, refused, away]) expect(out).not.toContain('hidden');
    proxy.close();
  });

  it.each([
    [403, 'an administrator has revoked this agent', 'enrol it again with a new state folder'],
    [503, 'the control plane returned status 503', 'try again when the control plane can be reached'],
  ])('explains a renewal that is answered with %s', async (status, facts, remedy) => {
    const renewal = { status, body: '{"error":{"code":"forbidden"}}' };
    const port = await serve(['localhost'], { renewal });
    const checked = await check(enrolled(`https://localhost:${port}/v1`, ['tls://127.0.0.1:1']));
    expect(lineOf(checked, 'credential')).toEqual({ step: 'credential', state: 'fail', facts, remedy });
  });

  it('explains each address of NATS, also a web server that does not pass WebSocket on', async () => {
    const port = await serve(['localhost'], { status: 404 });
    const env = enrolled('https://127.0.0.1:1/v1', [`wss://localhost:${port}/nats`, 'tls://127.0.0.1:1']);
    const checked = await check(env);
    expect(lineOf(checked, 'NATS addresses')?.facts).toBe(`localhost:${port}, 127.0.0.1:1`);
    expect(lineOf(checked, 'NATS WebSocket')).toMatchObject({
      state: 'fail',
      facts: expect.stringContaining('answered the WebSocket request with status 404'),
      remedy: 'check the path of the URL, and that the web server passes it on to NATS',
    });
    expect(linesOf(checked)).toContainEqual({
      step: 'NATS TCP',
      state: 'fail',
      facts: '127.0.0.1:1: the connection was refused',
      remedy: 'check the port, and that the server runs',
    });
    expect(lineOf(checked, 'credential')?.facts).toBe(
      'because the API of the control plane does not respond',
    );
    expect(lineOf(checked, 'NATS credential')?.facts).toBe('because NATS cannot be reached');
  });

  it('explains a refused port, a name that does not exist and a token of the wrong format', async () => {
    const env = {
      ...environment('https', 'https://127.0.0.1:1/v1'),
      UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'secret',
    };
    const refused = await check(env);
    expect(lineOf(refused, 'control plane TCP')).toEqual({
      step: 'control plane TCP',
      state: 'fail',
      facts: '127.0.0.1:1: the connection was refused',
      remedy: 'check the port, and that the server runs',
    });
    expect(lineOf(refused, 'control plane TLS')?.facts).toBe('because there is no connection');
    expect(lineOf(refused, 'enrolment token')).toMatchObject({
      facts: expect.stringContaining('expected us_enrol_ and 43 characters'),
      remedy: expect.stringContaining('copy all of the token; an administrator creates'),
    });
    expect(refused.out).not.toContain('secret');
    const unset = environment('https', `https://${'x'.repeat(64)}.test/v1`);
    delete unset['UNDERSTUDY_AGENT_ENROLMENT_TOKEN'];
    const unknown = await check(unset);
    expect(lineOf(unknown, 'control plane name')).toMatchObject({
      state: 'fail',
      remedy: 'check its spelling and the DNS of this machine',
    });
    expect(lineOf(unknown, 'control plane TCP')?.facts).toBe('because the name cannot be resolved');
    expect(lineOf(unknown, 'enrolment token')).toMatchObject({
      facts: 'UNDERSTUDY_AGENT_ENROLMENT_TOKEN is not set',
      remedy: 'an administrator creates a token with POST /v1/agents/enrolment-tokens',
    });
  });
});

describe('understudy-agent check of the databases', () => {
  it('explains each database that cannot be used, and prints no password', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined).end('no PostgreSQL'));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const withTls = `${urlOf('reader', 'pw-of-reader')}?sslmode=require`;
    const env = environment('databases', 'https://127.0.0.1:1/v1', {
      refused: { url: 'postgresql://u:hidden-1@127.0.0.1:1/d', roles: ['source'] },
      password: { url: urlOf('reader', 'hidden-2'), roles: ['source'] },
      missing: { url: urlOf('reader', 'pw-of-reader', 'no_such_db'), roles: ['source'] },
      plain: { url: withTls, roles: ['source'] },
      stranger: { url: urlOf('stranger', 'pw-of-stranger'), roles: ['source', 'target'] },
      closed: { url: `postgresql://u:hidden-3@127.0.0.1:${port}/d`, roles: ['source'] },
    });
    const checked = await check({ ...env, UNDERSTUDY_AGENT_PG_BIN_DIR: folder });
    silent.close();
    expect(checked.code).toBe(1);
    const found = (step: string) => lineOf(checked, `database ${step}`);
    expect(found('refused')).toMatchObject({
      state: 'fail',
      remedy: 'check the port, and that the server runs',
    });
    expect(found('refused privileges')).toMatchObject({
      state: 'skip',
      facts: 'because there is no connection',
    });
    expect(found('password')).toMatchObject({
      facts: expect.stringMatching(/refuses the role "reader"$/),
      remedy: 'check the user and the password in the URL of the policy, and pg_hba.conf of the server',
    });
    expect(found('missing')).toMatchObject({
      facts: expect.stringMatching(/has no database "no_such_db"$/),
      remedy: 'correct the name in the URL of the policy, or create the database',
    });
    expect(found('plain')).toMatchObject({
      facts: expect.stringMatching(/does not offer TLS$/),
      remedy: expect.stringMatching(/^turn ssl on at the server/),
    });
    expect(found('closed')).toMatchObject({ state: 'fail', remedy: 'look at the log of the server' });
    expect(found('stranger pg_dump')).toMatchObject({
      facts: 'pg_dump and pg_restore were not found',
      remedy: expect.stringMatching(
        /^install the client programs of PostgreSQL \d+ or newer, or name their folder/,
      ),
    });
    const missing = linesOf(checked).filter(({ step }) => step === 'database stranger privileges');
    expect(missing.slice(1)).toContainEqual({
      step: 'database stranger privileges',
      state: 'fail', // the database has no other table
      facts: 'as source: SELECT on TABLE "public"."orders" is missing',
      remedy: 'run GRANT SELECT ON TABLE "public"."orders" TO "stranger";',
    });
    for (const secret of ['hidden-', 'pw-of-', 'postgresql://']) expect(checked.out).not.toContain(secret);
  });

  it('explains a role that may not connect, and a certificate that is not accepted', async () => {
    const closed = await createTestDatabase(services.postgresUrl);
    await closed.query(`REVOKE CONNECT ON DATABASE ${closed.name} FROM PUBLIC`);
    const authority = await TestAuthority.create('Acme root');
    const context = createSecureContext(await authority.issue(['localhost']));
    const withTls = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write('S'); // the server's response to SSLRequest: TLS follows
        new TLSSocket(socket, { isServer: true, secureContext: context }).on('error', () => undefined);
      });
    });
    withTls.listen(0, '127.0.0.1');
    await once(withTls, 'listening');
    const { port } = withTls.address() as AddressInfo;
    const checked = await check(
      environment('databases', 'https://127.0.0.1:1/v1', {
        closed: { url: urlOf('reader', 'pw-of-reader', closed.name), roles: ['source'] },
        certificate: { url: `postgresql://u:p@127.0.0.1:${port}/d?sslmode=verify-full`, roles: ['source'] },
      }),
    );
    withTls.close();
    await closed.drop();
    expect(lineOf(checked, 'database closed')).toMatchObject({
      facts: `the role "reader" may not connect to the database "${closed.name}"`,
      remedy: 'run GRANT CONNECT ON DATABASE for the role',
    });
    expect(lineOf(checked, 'database certificate')).toMatchObject({
      facts: `the certificate of 127.0.0.1:${port} is not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`,
      remedy: expect.stringMatching(/^set NODE_EXTRA_CA_CERTS to a file with the certificate of its issuer/),
    });
  });

  it('reports a pg_dump that is older than the server', async () => {
    const programs = join(folder, 'old-programs');
    mkdirSync(programs);
    for (const name of ['pg_dump', 'pg_restore'])
      writeFileSync(join(programs, name), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6"\n', { mode: 0o755 });
    const env = environment('databases', 'https://127.0.0.1:1/v1', {
      shop: { url: urlOf('reader', 'pw-of-reader'), roles: ['source'] },
    });
    const checked = await check({ ...env, UNDERSTUDY_AGENT_PG_BIN_DIR: programs });
    expect(lineOf(checked, 'database shop pg_dump')?.facts).toMatch(/are older than the server \(\d+\)$/);
  });
});

describe('understudy-agent check of the files', () => {
  it('reports every problem of the environment and exits with 78', async () => {
    const { code, out } = await runProgram({ UNDERSTUDY_CONTROL_URL: 'http://cp.example.com' }, []);
    expect(code).toBe(78);
    expect(out.split('\n').filter((line) => line.startsWith('FAIL  configuration'))).toHaveLength(3);
    expect(out).toMatch(/UNDERSTUDY_AGENT_STATE_DIR is not set: correct the environment of the agent$/m);
    expect(out).toMatch(/^skip {2}all other steps {10}the configuration cannot be used$/m);
  });

  it('explains a broken policy, key files and folders that cannot be used', async () => {
    const env = environment('files', 'https://127.0.0.1:1/v1');
    const policyFile = join(folder, 'broken.yaml');
    writeFileSync(policyFile, 'databses: {}\nallow_where: maybe');
    writeFileSync(join(folder, 'short.key'), 'abc');
    const checked = await check({
      ...env,
      UNDERSTUDY_AGENT_STATE_DIR: policyFile,
      UNDERSTUDY_AGENT_POLICY_FILE: policyFile,
      UNDERSTUDY_AGENT_MASKING_KEY_FILE: join(folder, 'short.key'),
      UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE: join(folder, 'short.key'),
      UNDERSTUDY_AGENT_SNAPSHOT_DIR: join(folder, 'not-mounted'),
      UNDERSTUDY_AGENT_SNAPSHOT_WORK_DIR: join(folder, 'not-mounted'),
      UNDERSTUDY_AGENT_MIN_FREE_DISK_MB: '1000000',
    });
    expect(checked.code).toBe(1);
    expect(lineOf(checked, 'state folder')?.remedy).toBe('name a folder');
    expect(lineOf(checked, 'policy')).toMatchObject({
      facts: expect.stringMatching(/^databses: unknown key; .*allow_where: expected true or false$/),
      remedy: 'correct the file, then run the check again',
    });
    expect(lineOf(checked, 'databases')?.facts).toBe('because the policy cannot be used');
    expect(lineOf(checked, 'masking key')?.facts).toContain('expected 64 hexadecimal digits');
    expect(lineOf(checked, 'snapshot key')?.remedy).toBe('without its key, a snapshot cannot be restored');
    for (const step of ['snapshot store', 'snapshot work folder'])
      expect(lineOf(checked, step)).toMatchObject({
        facts: expect.stringMatching(/is missing or cannot be written to \(ENOENT\)$/),
        remedy: 'create it for the user of the agent, or mount its file system',
      });
    expect(lineOf(checked, 'free space')).toMatchObject({
      facts: expect.stringMatching(/fewer than UNDERSTUDY_AGENT_MIN_FREE_DISK_MB \(1000000\)$/),
      remedy: 'free some space; until then the agent accepts no work',
    });
  });

  it('explains a bucket that cannot be used', async () => {
    const answers: Record<string, [number, string]> = {
      denied: [403, 'AccessDenied'],
      missing: [404, 'NoSuchBucket'],
    };
    const server = createHttpServer((request, response) => {
      const [status, code] = answers[request.url?.split(/[/?]/)[1] ?? ''] ?? [500, 'InternalError'];
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code></Error>`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const checkBucket = async (bucket: string, endpointPort: number) => {
      const checked = await runProgram({
        ...environment('bucket', 'https://127.0.0.1:1/v1'),
        UNDERSTUDY_AGENT_SNAPSHOT_BUCKET: bucket,
        UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT: `http://127.0.0.1:${endpointPort}`,
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'hidden',
        AWS_MAX_ATTEMPTS: '1',
      });
      expect(checked.out).not.toContain('hidden');
      return lineOf(checked, 'snapshot store');
    };
    const [denied, missing, unreachable] = await Promise.all([
      checkBucket('denied', port),
      checkBucket('missing', port),
      checkBucket('unreachable', 1),
    ]);
    server.close().closeAllConnections();
    expect(denied).toMatchObject({
      facts: 'the bucket denied cannot be listed (AccessDenied)',
      remedy: expect.stringMatching(/^check the credentials of the AWS SDK/),
    });
    expect(missing?.remedy).toMatch(/^create the bucket, or correct UNDERSTUDY_AGENT_SNAPSHOT_BUCKET/);
    expect(unreachable?.remedy).toMatch(/^check UNDERSTUDY_AGENT_SNAPSHOT_ENDPOINT/);
  });

  it('explains a state folder that its user cannot write, and one that others can enter', async () => {
    const env = environment('foreign', 'https://127.0.0.1:1/v1');
    const state = env['UNDERSTUDY_AGENT_STATE_DIR'] ?? '';
    mkdirSync(state, { mode: 0o755 });
    chmodSync(state, 0o755);
    const open = await check(env);
    expect(lineOf(open, 'state folder')).toMatchObject({
      state: 'warn',
      remedy: 'other users can enter the folder; run chmod 700 on it',
    });
    chmodSync(state, 0o555);
    const checked = await runProgram(env, ['--json'], true);
    expect(lineOf(checked, 'state folder')).toMatchObject({
      state: 'fail',
      facts: 'cannot be written by this user (EACCES)',
      remedy: 'run the command as the user of the agent, or change the owner of the folder',
    });
    const belowIt = { ...env, UNDERSTUDY_AGENT_STATE_DIR: join(state, 'below') };
    const below = await runProgram(belowIt, ['--json'], true);
    expect(lineOf(below, 'state folder')?.remedy).toBe('create it with mode 0700 for the user of the agent');
    chmodSync(state, 0o755);
    writeFileSync(join(state, 'identity.json'), '{}');
    const damaged = await check(env);
    expect(lineOf(damaged, 'identity file')?.remedy).toBe('restore it from the backup of the state folder');
  });
});
