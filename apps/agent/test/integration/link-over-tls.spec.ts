import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Outbound } from '@understudy/outbound';
import { TestAuthority, type TestCertificate, TestNats, waitFor } from '@understudy/testing';

import { TestControlPlane } from './link-control-plane.js';
import { SupervisedAgent } from './supervised-agent.js';

// Uses a real nats-server with TLS and WebSocket, and the agent's program.
const INFO = 30;
const WARN = 40;
const ERROR = 50;
const UNTRUSTED =
  /^cannot reach localhost:\d+: the certificate is not trusted \(\w+, issuer "Other root"\); set UNDERSTUDY_CA_FILE to/;
const EXPIRED =
  /^cannot reach localhost:\d+: the certificate has expired \(.+\); renew it, or correct the clock/;

let folder: string;
let nats: TestNats;
let plane: TestControlPlane;
let agent: SupervisedAgent | undefined;
let good: TestCertificate;
let authority: TestAuthority;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-tls-'));
  authority = await TestAuthority.create('Acme root');
  good = await authority.issue(['localhost']);
  await writeFile(join(folder, 'ca.pem'), authority.ca);
  await writeFile(join(folder, 'policy.yaml'), 'databases: {}\n');
  nats = await TestNats.start({ certificate: good });
});
afterEach(async () => {
  await agent?.stop();
  await plane.stop();
  await nats.restart(good);
});
afterAll(async () => {
  await nats.remove();
  await rm(folder, { recursive: true });
});

async function start(natsUrl: string, credentialSeconds = 900): Promise<SupervisedAgent> {
  const outbound = new Outbound({ caFile: join(folder, 'ca.pem') });
  plane = await TestControlPlane.start({ natsUrl, natsSeeds: nats.seeds }, outbound);
  plane.credentialSeconds = credentialSeconds;
  const started = new SupervisedAgent({
    UNDERSTUDY_AGENT_STATE_DIR: await mkdtemp(join(folder, 'state-')),
    UNDERSTUDY_AGENT_POLICY_FILE: join(folder, 'policy.yaml'),
    UNDERSTUDY_AGENT_ENROLMENT_TOKEN: 'one-time',
    UNDERSTUDY_CONTROL_URL: plane.url,
    UNDERSTUDY_CA_FILE: join(folder, 'ca.pem'),
  });
  agent = started;
  return started;
}

const reported = (started: SupervisedAgent, reason: RegExp) =>
  waitFor(`the reason ${String(reason)}`, async () => started.logged(WARN).some((line) => reason.test(line)));

describe.each([
  ['TLS', () => `tls://localhost:${nats.port}`],
  ['WebSocket', () => `wss://localhost:${nats.webSocketPort}/nats`],
])('an agent that uses NATS over %s', (_, url) => {
  it('names the fault of a new certificate after a loss, and connects without a restart', async () => {
    const other = await TestAuthority.create('Other root');
    const started = await start(url());
    const isLive = (line: string) => line === 'live: the control plane has replied';
    await waitFor('a reply', async () => started.logged(INFO).some(isLive));
    expect(plane.beats).not.toEqual([]);
    expect(started.logged(WARN)).toEqual([]);
    await nats.restart(await other.issue(['localhost']));
    await reported(started, UNTRUSTED);
    await nats.restart(good);
    await waitFor('the return', async () => started.logged(INFO).includes('reconnected to NATS'));
    expect(started.logged(WARN).filter((line) => UNTRUSTED.test(line))).toHaveLength(1);
    expect(started.logged(WARN).filter((line) => line.startsWith('disconnected'))).toHaveLength(1);
    expect(started.logged(INFO).filter(isLive)).toHaveLength(1);
  });
});

it('reports no fault when it renews its credential, and one line when the credential has expired', async () => {
  const started = await start(`tls://localhost:${nats.port}`, 7);
  await waitFor('a renewal', async () => plane.issued >= 3);
  expect(started.logged(WARN)).toEqual([]);
  plane.isAway = true;
  await reported(started, /^cannot reach localhost:\d+: NATS refuses the credential, which expired at /);
  plane.isAway = false;
  await waitFor('the return', async () => started.logged(INFO).includes('reconnected to NATS'));
  expect(started.logged(WARN)).toEqual([
    expect.stringMatching(/^disconnected from NATS/),
    expect.stringMatching(/^cannot reach .* which expired at /),
  ]);
  expect(started.logged(ERROR)).toEqual([expect.stringMatching(/could not be renewed: .* status 503$/)]);
});

it('names the fault of a certificate before the agent was ever connected', async () => {
  const started = await start(`tls://localhost:${nats.port}`);
  await started.stop();
  await nats.restart(await authority.issue(['localhost'], { fromDays: -3, toDays: -2 }));
  const waiting = new SupervisedAgent(started.settings);
  agent = waiting;
  await reported(waiting, EXPIRED);
  await nats.restart(good);
  await waitFor('the connection', async () =>
    waiting.logged(INFO).some((line) => line.startsWith('connected as')),
  );
  expect(waiting.logged(WARN).filter((line) => EXPIRED.test(line))).toHaveLength(1);
});

it('reports a clock that is off once, although the difference varies from refusal to refusal', async () => {
  const started = await start(`tls://localhost:${nats.port}`);
  await waitFor('the connection', async () =>
    started.logged(INFO).some((line) => line.startsWith('connected as')),
  );
  await started.stop();
  let refusals = 0;
  plane.refusingClock = () => new Date(Date.now() - 3_600_000 - 5_000 * refusals++);
  const refused = new SupervisedAgent(started.settings);
  agent = refused;
  await waitFor('a third refusal', async () => refusals >= 3);
  expect(refused.logged(ERROR)).toEqual([
    expect.stringMatching(/could not be renewed: .* the clock of this machine is 3\d{3} s ahead of/),
  ]);
});
