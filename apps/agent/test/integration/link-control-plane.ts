import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, nanos, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import { fromPublic } from '@nats-io/nkeys';
import {
  CommandSchema,
  DatabaseReferenceSchema,
  EventAcknowledgementSchema,
  EventSchema,
  ExpectedOfferSchema,
  HeartbeatReplySchema,
  HeartbeatSchema,
  type AgentFingerprint,
  type Command,
  type Event,
  type ExpectedOffer,
  type Heartbeat,
} from '@understudy/agent-protocol/schema';
import { addressedTo, agentPermissions, COMMAND_ACK_WAIT_MS } from '@understudy/agent-protocol/transport';
import { agentUserClaims, trustedUser } from '@understudy/agent-protocol/nats-trust';
import { connectNats, Outbound } from '@understudy/outbound';
import type { TestServices } from '@understudy/testing';

export const AGENT_ID = 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** The NATS server that the control plane and its agents use. */
export type TestNatsServer = Pick<TestServices, 'natsUrl' | 'natsSeeds'>;

/** A simulated control plane on a real NATS server. It sends only what a test requests. */
export class TestControlPlane {
  readonly events: Event[] = [];
  readonly beats: Heartbeat[] = [];
  /** The process that each renewal named; undefined if it named none. */
  readonly renewals: { readonly instance: string | boolean | undefined }[] = [];
  readonly lost = new Set<string>();
  readonly cancelled = new Set<string>();
  acknowledging = true;
  /** Validity of the credentials that the API returns. */
  credentialSeconds = 900;
  /** The number of credentials that the API has returned. */
  issued = 0;
  /** The clock of the API, which refuses each renewal if it is set. Called once for each renewal. */
  refusingClock: (() => Date) | undefined;
  /** Whether the API answers each request with 503. */
  isAway = false;
  /** Responds to a correctly signed request for a hosted model. */
  onHostedModel: (request: Record<string, string>) => { status: number; file?: Uint8Array } = () => ({
    status: 404,
  });
  private userPublicKey = '';

  private constructor(
    private readonly services: TestNatsServer,
    private readonly http: Server,
    readonly connection: NatsConnection,
  ) {}

  static async start(services: TestNatsServer, outbound = new Outbound()): Promise<TestControlPlane> {
    const connection = await connectNats(outbound, {
      urls: [services.natsUrl],
      name: 'test',
      authenticator: await trustedUser('test', services.natsSeeds.account),
    });
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const plane = new TestControlPlane(services, http, connection);
    http.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (plane.isAway) return response.writeHead(503).end();
        if (request.url === '/v1/agents') {
          response.writeHead(401, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ error: { code: 'unauthorized', message: 'A token is needed.' } }));
          return;
        }
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, string>;
        if (request.url === '/v1/agents/hosted-models') {
          const { status, file = new Uint8Array() } = plane.signs('hosted model', body, ['job_id', 'sha256'])
            ? plane.onHostedModel(body)
            : { status: 401 };
          response.writeHead(status, { 'content-type': 'application/octet-stream' });
          response.end(file);
          return;
        }
        if (request.url === '/v1/agents/renew' && plane.refusingClock !== undefined)
          return response.writeHead(401, { date: plane.refusingClock().toUTCString() }).end();
        void plane.answer(request.url ?? '', body).then((answer) => {
          response.writeHead(answer === undefined ? 401 : 200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ data: answer }));
        });
      });
    });
    plane.listen();
    await plane.makeStreams();
    return plane;
  }

  /** Accepts the agent that another control plane has enrolled. */
  trust({ userPublicKey }: TestControlPlane): void {
    this.userPublicKey = userPublicKey;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/v1`;
  }

  async makeStreams(): Promise<void> {
    const manager = await jetstreamManager(this.connection);
    await manager.streams.add({
      name: 'COMMANDS',
      subjects: ['us.cmd.>'],
      retention: 'workqueue',
      storage: 'file',
    });
    await manager.streams.add({
      name: 'EVENTS',
      subjects: ['us.evt.>'],
      retention: 'workqueue',
      storage: 'file',
    });
    await manager.consumers.add('COMMANDS', {
      durable_name: `agent_${AGENT_ID}`,
      filter_subject: `us.cmd.${AGENT_ID}`,
      ack_policy: 'explicit',
      ack_wait: nanos(COMMAND_ACK_WAIT_MS),
    });
  }

  async wipeStreams(): Promise<void> {
    const manager = await jetstreamManager(this.connection);
    await manager.streams.delete('COMMANDS');
    await manager.streams.delete('EVENTS');
  }

  /** Returns the number of commands in JetStream that are not acknowledged. */
  async pendingCommands(): Promise<number> {
    const manager = await jetstreamManager(this.connection);
    return (await manager.streams.info('COMMANDS')).state.messages;
  }

  async send(
    jobId: string,
    options: {
      epoch?: number;
      source?: string;
      target?: string;
      offers?: { source: ExpectedOffer; target: ExpectedOffer };
      addressee?: string | null;
      hostedModel?: { id: string; sha256: Uint8Array; byteLength: number };
    } = {},
  ): Promise<void> {
    const { source = 'nobody', target = 'nobody', offers } = options;
    const command = create(CommandSchema, {
      id: `cmd_${jobId}`,
      command: {
        case: 'runSyncJob',
        value: {
          jobId,
          epoch: options.epoch ?? 1,
          seed: 1n,
          referenceInstant: timestampFromMs(0),
          source: reference(source, offers?.source),
          target: reference(target, offers?.target),
          tables: [{ name: 't' }],
          hostedModels: options.hostedModel === undefined ? [] : [options.hostedModel],
        },
      },
    });
    await this.publish(command, options.addressee);
  }

  async sendCleanup(jobId: string, database: string, offer: ExpectedOffer): Promise<void> {
    const value = { jobId, epoch: 2, target: reference(database, offer) };
    const command = { id: `cmd_${jobId}`, command: { case: 'clearOfferedSyncTarget' as const, value } };
    await this.publish(create(CommandSchema, command));
  }

  /** Returns the last offer of the agent for a database, in the form of a command. */
  offerOf(database: string): ExpectedOffer {
    const offer = this.beats.at(-1)?.offer;
    const policy = offer?.databases.find(({ name }) => name === database)?.policy;
    return create(ExpectedOfferSchema, { policy: bytesOf(policy), maskingKey: bytesOf(offer?.maskingKey) });
  }

  async sendErasure(erasureId: string, name: string, requestedAt: Date): Promise<void> {
    const value = { erasureId, name, requestedAt: timestampFromDate(requestedAt) };
    const command = { id: `cmd_${erasureId}`, command: { case: 'erasePrivateModel' as const, value } };
    await this.publish(create(CommandSchema, command));
  }

  async sendDeletion(deletionId: string, snapshotId: string, store: Uint8Array): Promise<void> {
    const value = { deletionId, snapshotId, beforeEpoch: 0, store };
    const command = { id: `cmd_${deletionId}`, command: { case: 'deleteSnapshot' as const, value } };
    await this.publish(create(CommandSchema, command));
  }

  /** Returns the ids of the erasures whose result was reported, each once. */
  erased(): string[] {
    const ids = this.events.flatMap(({ event }) =>
      event.case === 'privateModelErased' ? [event.value.erasureId] : [],
    );
    return [...new Set(ids)];
  }

  private async publish(command: Command, addressee?: string | null): Promise<void> {
    const addressed = headers();
    if (addressee !== null) addressed.set('Understudy-Agent', addressee ?? AGENT_ID);
    await jetstream(this.connection).publish(`us.cmd.${AGENT_ID}`, toBinary(CommandSchema, command), {
      headers: addressed,
    });
  }

  acknowledge(journalSeq: bigint, addressee?: MsgHdrs): void {
    const acknowledgement = create(EventAcknowledgementSchema, { journalSeqs: [journalSeq] });
    this.connection.publish(
      `us.ack.${AGENT_ID}`,
      toBinary(EventAcknowledgementSchema, acknowledgement),
      addressee && { headers: addressee },
    );
  }

  /** Returns the kinds of events that were reported for a job, such as `started` and `failed`, each event once. */
  reported(jobId: string): string[] {
    const seen = new Map<number, string>();
    for (const { event } of this.events) {
      if (event.case === 'syncJob' && event.value.jobId === jobId) {
        seen.set(event.value.seq, event.value.event.case ?? 'nothing');
      }
    }
    return [...seen.values()];
  }

  failureCode(jobId: string): number | undefined {
    for (const { event } of this.events) {
      if (event.case !== 'syncJob' || event.value.jobId !== jobId) continue;
      if (event.value.event.case === 'failed') return event.value.event.value.code;
    }
    return undefined;
  }

  async stop(): Promise<void> {
    await this.connection.close();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  private listen(): void {
    this.connection.subscribe(`us.beat.${AGENT_ID}`, {
      callback: (_, message) => {
        const beat = fromBinary(HeartbeatSchema, message.data);
        this.beats.push(beat);
        const named = (jobs: ReadonlySet<string>) =>
          beat.leases.filter(({ jobId }) => jobs.has(jobId)).map(({ jobId, epoch }) => ({ jobId, epoch }));
        message.respond(
          toBinary(
            HeartbeatReplySchema,
            create(HeartbeatReplySchema, {
              lostLeases: named(this.lost),
              cancelledLeases: named(this.cancelled),
            }),
          ),
        );
      },
    });
    // A plain subscription, so that the test receives events even while there is no stream.
    this.connection.subscribe(`us.evt.${AGENT_ID}`, {
      callback: (_, message) => {
        const event = fromBinary(EventSchema, message.data);
        this.events.push(event);
        if (!this.acknowledging) return;
        this.acknowledge(event.journalSeq, addressedTo(AGENT_ID));
      },
    });
  }

  private async answer(url: string, body: Record<string, string>): Promise<unknown> {
    if (url === '/v1/agents/enroll') {
      if (body['token'] !== 'one-time') return undefined;
      this.userPublicKey = body['nats_public_key'] ?? '';
    } else if (!this.signsRenewal(body)) return undefined;
    const expiresAtSeconds = Math.floor(Date.now() / 1000) + this.credentialSeconds;
    this.issued += 1;
    return {
      agent_id: AGENT_ID,
      organization_id: 'org_1',
      nats_urls: [this.services.natsUrl],
      nats_jwt: await agentUserClaims({
        accountSeed: this.services.natsSeeds.agentAccount,
        agentId: AGENT_ID,
        userPublicKey: this.userPublicKey,
        permissions: agentPermissions(AGENT_ID),
        expiresAtSeconds,
      }),
      jwt_expires_at: new Date(expiresAtSeconds * 1000).toISOString(),
    };
  }

  private signsRenewal(body: Record<string, string | boolean>): boolean {
    const { agent_id, issued_at, nonce, instance, take_over, signature } = body;
    const signed = [agent_id, issued_at, nonce];
    const lines =
      instance === undefined
        ? ['understudy agent renewal v1', ...signed]
        : ['understudy agent renewal v2', ...signed, instance, take_over ? 'take over' : 'continue'];
    this.renewals.push({ instance });
    return this.isSigned(lines.join('\n'), String(signature));
  }

  /** Returns whether the agent's key signed the request for this purpose and with these fields. */
  private signs(purpose: string, body: Record<string, string>, fields: readonly string[]): boolean {
    const { agent_id, issued_at, nonce, signature } = body;
    const signed = fields.map((field) => body[field]);
    const message = [`understudy agent ${purpose} v1`, agent_id, ...signed, issued_at, nonce].join('\n');
    return this.isSigned(message, signature);
  }

  private isSigned(message: string, signature: string | undefined): boolean {
    if (this.userPublicKey === '') return false;
    const bytes = new TextEncoder().encode(message);
    return fromPublic(this.userPublicKey).verify(bytes, Buffer.from(signature ?? '', 'base64'));
  }
}

function reference(name: string, offer: ExpectedOffer | undefined) {
  const reference = { case: 'agentDatabase', value: name } as const;
  return create(DatabaseReferenceSchema, { reference, ...(offer === undefined ? {} : { offer }) });
}

function bytesOf({ word0 = 0n, word1 = 0n }: Partial<AgentFingerprint> = {}): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(word0);
  bytes.writeBigUInt64BE(word1, 8);
  return new Uint8Array(bytes);
}
