import { decode } from '@nats-io/jwt';
import { jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { createUser, type KeyPair } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import { Outbound } from '@understudy/outbound';
import {
  createTestDatabase,
  sharedTestServices,
  waitFor,
  type SharedTestServices,
} from '@understudy/testing';
import { keyPairOf } from '@understudy/agent-protocol/nats-trust';
import { DataSource } from 'typeorm';
import { ulid } from 'ulid';

import { AgentLinkService } from '../../../src/agents/agent-link/connection/agent-link.service.js';
import { AgentTrustService } from '../../../src/agents/agent-link/connection/agent-trust.service.js';
import { AgentEnrolmentService } from '../../../src/agents/registry/enrolment/agent-enrolment.service.js';
import { AgentSignatures } from '../../../src/agents/registry/credentials/agent-signatures.service.js';
import { AgentEntity } from '../../../src/agents/registry/agent.entity.js';
import { AgentInstances } from '../../../src/agents/registry/instances/agent-instances.service.js';
import { AgentsService } from '../../../src/agents/registry/agents.service.js';
import { type EnrolAgentDto, renewalMessage } from '../../../src/agents/registry/agents.dto.js';
import { EnrolmentTokenEntity } from '../../../src/agents/registry/enrolment/enrolment-token.entity.js';
import { insertEnrolmentToken } from '../../../src/agents/registry/enrolment/insert-enrolment-token.js';
import type { CallerRequest } from '../../../src/platform/http/pipeline/caller-request.js';
import { dataSourceOptions } from '../../../src/platform/persistence/data-source.js';
import { testConfiguration } from '../agent-link/agent-link-configuration.js';

let services: SharedTestServices;
let dataSource: DataSource;
let link: AgentLinkService;
let enrolment: AgentEnrolmentService;
let agents: AgentsService;
const ORG = 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const REQUEST = { id: 'req_test' };
const SIGNED = { ...REQUEST, countForAgent: async () => undefined };
const REFUSED = 'These agent credentials are not valid.';
const asked = (organizationId = ORG): CallerRequest => ({
  ...REQUEST,
  caller: {
    organizationId,
    plan: 'business',
    role: 'owner',
    scopes: null,
    tokenId: 'tok_test',
    sessionId: null,
    memberId: null,
    apiCallsUsed: 0,
  },
});
const createToken = (now = new Date()) =>
  insertEnrolmentToken(dataSource.manager, {
    organizationId: ORG,
    now,
    actor: { type: 'command_line' },
    requestId: null,
  });

beforeAll(async () => {
  services = await sharedTestServices({ postgres: true, nats: true });
  const { url } = await createTestDatabase(services.postgresUrl);
  dataSource = await new DataSource({
    ...dataSourceOptions({ url }),
    entities: [AgentEntity, EnrolmentTokenEntity],
  }).initialize();
  await dataSource.runMigrations();
  await dataSource.query(`INSERT INTO organizations (id, name, plan) VALUES ($1, 'Test', 'business')`, [ORG]);
  const configuration = testConfiguration(services, url);
  link = new AgentLinkService(configuration, new Outbound());
  agents = new AgentsService(dataSource, link);
  const trust = new AgentTrustService(configuration);
  const signatures = new AgentSignatures(dataSource, trust);
  enrolment = new AgentEnrolmentService(
    dataSource,
    trust,
    signatures,
    new AgentInstances(dataSource, link),
    link,
  );
  await link.start();
});

afterAll(async () => {
  await link.onApplicationShutdown();
  await dataSource.destroy();
  await services.stop();
});

function request(token: string, user = createUser()): EnrolAgentDto {
  return {
    token,
    name: 'test',
    nats_public_key: user.getPublicKey(),
    sealing_public_key: Buffer.alloc(32, 7).toString('base64'),
  };
}

async function enrolled() {
  const user = createUser();
  const { token } = await createToken();
  return { user, agent: await enrolment.enrol(REQUEST, request(token, user)) };
}

function renewal(
  agentId: string,
  user: KeyPair,
  issuedAt = new Date().toISOString(),
  nonce = 'nonce-nonce-nonce',
  sender: { instance?: string; take_over?: boolean } = {},
) {
  const fields = { agent_id: agentId, issued_at: issuedAt, nonce, ...sender };
  const signature = user.sign(new TextEncoder().encode(renewalMessage(fields)));
  return { ...fields, signature: Buffer.from(signature).toString('base64') };
}

/** A process of an agent, which renews as agents do. */
function agentProcess({ user, agent }: Awaited<ReturnType<typeof enrolled>>) {
  const instance = ulid();
  const renew = (takeOver: boolean) =>
    enrolment.renew(
      SIGNED,
      renewal(agent.agent_id, user, new Date().toISOString(), ulid(), { instance, take_over: takeOver }),
    );
  return { start: () => renew(true), renew: () => renew(false) };
}

function connectWith(user: KeyPair, jwt: string): Promise<NatsConnection> {
  return connect({
    servers: [services.natsUrl],
    authenticator: jwtAuthenticator(jwt, user.getSeed()),
    reconnect: false,
    timeout: 60_000,
  });
}

/**
 * Delays the next push of account claims until `letGo` is called. `reached` resolves when the claims have
 * been created but not yet pushed.
 */
function holdPush(of: AgentLinkService): { readonly reached: Promise<void>; readonly letGo: () => void } {
  let arrive = (): void => undefined;
  let letGo = (): void => undefined;
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const holder = of as unknown as { pushClaims(claims: string): Promise<void> };
  const push = holder.pushClaims.bind(of);
  jest.spyOn(holder, 'pushClaims').mockImplementationOnce(async (claims) => {
    arrive();
    await released;
    await push(claims);
  });
  return { reached, letGo };
}

async function waitsForAdvisoryLock(): Promise<boolean> {
  const waiting = await dataSource.query<unknown[]>(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
  );
  return waiting.length > 0;
}

/** Returns the keys that the nats-server refuses. */
async function pushedRevocations(): Promise<string[]> {
  const { system } = link as unknown as { system: NatsConnection };
  const account = keyPairOf('account', services.natsSeeds.agentAccount).getPublicKey();
  const reply = await system.request(`$SYS.REQ.ACCOUNT.${account}.CLAIMS.LOOKUP`, '', { timeout: 60_000 });
  const { nats } = decode<{ revocations?: Record<string, number> }>(reply.string());
  return Object.keys(nats.revocations ?? {});
}

describe('an enrolment token', () => {
  it('enrols exactly one agent even if it is used 100 times in parallel', async () => {
    const { token } = await createToken();
    const uses = await Promise.allSettled(
      Array.from({ length: 100 }, () => enrolment.enrol(REQUEST, request(token))),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = uses.flatMap((use) =>
      use.status === 'rejected' ? [(use.reason as { code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(['unauthorized']));
    expect(await dataSource.getRepository(AgentEntity).countBy({ organizationId: ORG })).toBe(1);
  });

  it('is refused if it is wrong or has expired', async () => {
    await expect(enrolment.enrol(REQUEST, request('us_enrol_wrong'))).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const { token } = await createToken(new Date(Date.now() - 3_600_001));
    await expect(enrolment.enrol(REQUEST, request(token))).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('is not consumed by a key that is already enrolled', async () => {
    const { user } = await enrolled();
    const { token } = await createToken();
    await expect(enrolment.enrol(REQUEST, request(token, user))).rejects.toMatchObject({ code: 'conflict' });
    await expect(enrolment.enrol(REQUEST, request(token))).resolves.toMatchObject({ organization_id: ORG });
  });

  it('is stored only as a hash', async () => {
    const { token } = await createToken();
    const rows: unknown = await dataSource.query('SELECT * FROM enrolment_tokens');
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a renewal', () => {
  it('returns a new JWT to the holder of the key', async () => {
    const { user, agent } = await enrolled();
    const renewed = await enrolment.renew(SIGNED, renewal(agent.agent_id, user));
    expect(renewed).toMatchObject({ agent_id: agent.agent_id, organization_id: ORG });
    const left = Date.parse(renewed.jwt_expires_at) - Date.now();
    expect(left).toBeLessThanOrEqual(15 * 60_000);
  });

  it.each([
    ['it is signed with another key', (id: string) => renewal(id, createUser())],
    ['the agent is unknown', () => renewal('agt_01ARZ3NDEKTSV4RRFFQ69G5FAV', createUser())],
  ])('is refused if %s', async (_, make) => {
    const { agent } = await enrolled();
    await expect(enrolment.renew(SIGNED, make(agent.agent_id))).rejects.toMatchObject({
      code: 'unauthorized',
      message: REFUSED,
    });
  });

  it.each([
    [-90_000, 'behind'],
    [90_000, 'ahead of'],
  ])('is refused if it was signed %i ms from now, and only its owner learns why', async (offset, side) => {
    const { user, agent } = await enrolled();
    const issuedAt = new Date(Date.now() + offset).toISOString();
    await expect(enrolment.renew(SIGNED, renewal(agent.agent_id, user, issuedAt))).rejects.toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining(`s ${side} the clock of the control plane`),
    });
    const forged = renewal(agent.agent_id, createUser(), issuedAt);
    await expect(enrolment.renew(SIGNED, forged)).rejects.toMatchObject({ message: REFUSED });
  });

  it('succeeds once even if it is sent ten times in parallel', async () => {
    const { user, agent } = await enrolled();
    const sent = renewal(agent.agent_id, user);
    const responses = await Promise.allSettled(
      Array.from({ length: 10 }, () => enrolment.renew(SIGNED, sent)),
    );
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(enrolment.renew(SIGNED, sent)).rejects.toMatchObject({ code: 'unauthorized' });
    const next = renewal(agent.agent_id, user, new Date().toISOString(), 'another-nonce-here');
    expect((await enrolment.renew(SIGNED, next)).agent_id).toBe(agent.agent_id);
  });

  it('stores its nonce until no signature with it is accepted', async () => {
    const { user, agent } = await enrolled();
    const nonces = async () =>
      (
        await dataSource.query<{ nonce: string; covers: boolean }[]>(
          `SELECT nonce, expires_at > now() + interval '2 minutes' AS covers FROM agent_nonces WHERE agent_id = $1`,
          [agent.agent_id],
        )
      ).map(({ nonce, covers }) => [nonce, covers]);
    const renewWith = (nonce: string) =>
      enrolment.renew(SIGNED, renewal(agent.agent_id, user, new Date().toISOString(), nonce));
    await renewWith('first-nonce-first');
    expect(await nonces()).toEqual([['first-nonce-first', true]]);
    await dataSource.query(`UPDATE agent_nonces SET expires_at = now() - interval '1 second'`);
    await renewWith('second-nonce-second');
    expect(await nonces()).toEqual([['second-nonce-second', true]]);
  });

  it('is refused for a revoked agent', async () => {
    const { user, agent } = await enrolled();
    await agents.revoke(asked(), agent.agent_id);
    await expect(enrolment.renew(SIGNED, renewal(agent.agent_id, user))).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('revoked'),
    });
    await expect(enrolment.renew(SIGNED, renewal(agent.agent_id, createUser()))).rejects.toMatchObject({
      code: 'unauthorized',
      message: REFUSED,
    });
  });
});

describe('a process that takes the identity of an agent over', () => {
  it('disconnects the older process, which gets no further JWT', async () => {
    const identity = await enrolled();
    const [older, newer] = [agentProcess(identity), agentProcess(identity)];
    const first = await connectWith(identity.user, (await older.start()).nats_jwt);
    const { nats_jwt: superseded } = await older.renew();
    const { nats_jwt: current } = await newer.start();
    await first.closed();
    await expect(connectWith(identity.user, superseded)).rejects.toThrow(/authorization/i);
    await expect(older.renew()).rejects.toMatchObject({ code: 'conflict' });
    const second = await connectWith(identity.user, current);
    await newer.renew();
    await second.flush();
    await second.close();
    const { agents: listed } = await agents.list(ORG, {});
    expect(listed.find(({ id }) => id === identity.agent.agent_id)).toMatchObject({
      last_started_at: expect.any(String),
      last_conflict_at: expect.any(String),
    });
  });

  it('disconnects a process that uses the JWT of the enrolment', async () => {
    const identity = await enrolled();
    const connection = await connectWith(identity.user, identity.agent.nats_jwt);
    await agentProcess(identity).start();
    await connection.closed();
  });

  it('keeps its connection if it repeats the request', async () => {
    const identity = await enrolled();
    const started = agentProcess(identity);
    const connection = await connectWith(identity.user, (await started.start()).nats_jwt);
    await started.start();
    await connection.flush();
    await connection.close();
  });

  it('does not disturb a process of another agent that waits for a message', async () => {
    const [bystander, identity] = [await enrolled(), await enrolled()];
    const connection = await connectWith(bystander.user, (await agentProcess(bystander).start()).nats_jwt);
    const received = new Promise<void>((resolve) => {
      connection.subscribe(`us.ask.${bystander.agent.agent_id}`, { callback: () => resolve() });
    });
    await connection.flush();
    await agentProcess(identity).start();
    link.publishPrecheck(bystander.agent.agent_id, new Uint8Array());
    await received;
    await connection.close();
  });

  it('wins over all others if several start concurrently, and exactly one continues', async () => {
    const identity = await enrolled();
    const processes = Array.from({ length: 8 }, () => agentProcess(identity));
    await Promise.all(processes.map((one) => one.start()));
    const renewed = await Promise.allSettled(processes.map((one) => one.renew()));
    expect(renewed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('leaves the revocation list after the last refused JWT has expired', async () => {
    const identity = await enrolled();
    await agentProcess(identity).start();
    const isListed = async () => {
      await link.pushRevocations();
      return (await pushedRevocations()).includes(identity.user.getPublicKey());
    };
    expect(await isListed()).toBe(true);
    await dataSource.query(
      `UPDATE agents SET jwts_refused_until = now() - interval '76 minutes' WHERE id = $1`,
      [identity.agent.agent_id],
    );
    expect(await isListed()).toBe(false);
  });

  it('does not end agents that send no instance', async () => {
    const identity = await enrolled();
    await agentProcess(identity).start();
    const renewed = await enrolment.renew(SIGNED, renewal(identity.agent.agent_id, identity.user));
    await (await connectWith(identity.user, renewed.nats_jwt)).close();
  });

  it('must send its instance', async () => {
    const { user, agent } = await enrolled();
    const sent = renewal(agent.agent_id, user, new Date().toISOString(), ulid(), { take_over: true });
    await expect(enrolment.renew(SIGNED, sent)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('the agents of an organisation', () => {
  it('are live for 15 s after a heartbeat and never after their revocation', async () => {
    const { agent } = await enrolled();
    const beat = () => agents.recordHeartbeat(agent.agent_id, { version: '0.1.0', freeSlots: 2, leases: [] });
    const live = async () =>
      (await agents.liveAgents(ORG))
        .filter(({ id }) => id === agent.agent_id)
        .map(({ freeSlots }) => freeSlots);
    await beat();
    expect(await live()).toEqual([2]);
    await dataSource.query(`UPDATE agents SET last_seen_at = now() - interval '15 seconds' WHERE id = $1`, [
      agent.agent_id,
    ]);
    expect(await live()).toEqual([]);
    await beat();
    await agents.revoke(asked(), agent.agent_id);
    expect(await live()).toEqual([]);
    expect((await agents.enrolledAgents(ORG)).map(({ id }) => id)).not.toContain(agent.agent_id);
  });

  it('are all disconnected if two replicas revoke agents concurrently', async () => {
    const [first, second] = [await enrolled(), await enrolled()];
    const replica = new AgentLinkService(testConfiguration(services), new Outbound());
    const replicaAgents = new AgentsService(dataSource, replica);
    const held = holdPush(link);
    try {
      await replica.start();
      const revokingFirst = agents.revoke(asked(), first.agent.agent_id);
      await held.reached; // it has read the list without the second agent
      const revokingSecond = replicaAgents.revoke(asked(), second.agent.agent_id);
      const waits = waitFor('the second revocation to wait for the first', waitsForAdvisoryLock);
      await Promise.race([revokingSecond, waits.catch(() => undefined)]);
      held.letGo();
      await Promise.all([revokingFirst, revokingSecond]);
      const keys = [first.user.getPublicKey(), second.user.getPublicKey()];
      expect(await pushedRevocations()).toEqual(expect.arrayContaining(keys));
    } finally {
      held.letGo();
      await replica.onApplicationShutdown();
    }
  });

  it('stay on the revocation list until their last JWT has expired', async () => {
    const { user, agent } = await enrolled();
    await agents.revoke(asked(), agent.agent_id);
    await revokedAgo('74 minutes');
    expect(await pushedRevocations()).toContain(user.getPublicKey());
    await revokedAgo('75 minutes 1 second');
    expect(await pushedRevocations()).not.toContain(user.getPublicKey());

    async function revokedAgo(age: string): Promise<void> {
      await dataSource.query('UPDATE agents SET revoked_at = now() - $2::interval WHERE id = $1', [
        agent.agent_id,
        age,
      ]);
      await link.pushRevocations();
    }
  });

  it('cannot be revoked by another organisation', async () => {
    const { agent } = await enrolled();
    await expect(agents.revoke(asked('org_other'), agent.agent_id)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await agents.enrolledAgents(ORG)).map(({ id }) => id)).toContain(agent.agent_id);
  });

  it('are listed with their status', async () => {
    const { agent } = await enrolled();
    const found = (await agents.list(ORG, {})).agents.find(({ id }) => id === agent.agent_id);
    expect(found).toMatchObject({ name: 'test', status: 'away', last_seen_at: null, version: null });
  });
});
