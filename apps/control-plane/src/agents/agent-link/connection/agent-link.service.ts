import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { jetstream, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import {
  type AgentCommand,
  encodeAcknowledgement,
  encodeCommand,
  keyOfCommand,
} from '@understudy/agent-protocol';
import {
  acknowledgementSubject,
  addressedTo,
  commandSubject,
  questionSubject,
} from '@understudy/agent-protocol/transport';
import { NatsLinkWatch } from '@understudy/connection-fault';
import {
  accountClaims,
  agentAccountClaims,
  keyPairOf,
  sameAccountClaims,
} from '@understudy/agent-protocol/nats-trust';
import { closeNats, Outbound } from '@understudy/outbound';
import { ulid } from 'ulid';

import { Configuration } from '../../../platform/config/configuration.js';
import type { AgentDirectory } from './agent-trust.service.js';
import {
  AgentLinkUnavailableError,
  connectAsControlPlane,
  connectToSystemAccount,
} from './nats-connections.js';
import { runEach } from '../../../platform/job-queue/run-each.js';
import { lackOfStorage, readStreamStorage, STORAGE_REMEDY } from './stream-storage.js';
import { ensureAgentConsumerOn, ensureStreams, removeAgent } from './streams.js';

/** Manages the control plane's side of NATS: streams, agents' consumers, revocations and commands to agents. */
@Injectable()
export class AgentLinkService implements OnApplicationShutdown {
  private readonly logger = new Logger(AgentLinkService.name);
  private starting: Promise<void> | undefined;
  private connection: NatsConnection | undefined;
  private system: NatsConnection | undefined;
  private connected = false;
  private readonly stopping = new AbortController();
  private directory: AgentDirectory = {
    enrolledAgentIds: async () => [],
    withRevokedKeys: (push) => push(new Map()),
  };

  private watch: NatsLinkWatch | undefined;
  /** The reason why NATS does not accept the streams. */
  private refusal: string | undefined;
  private lastPush: Promise<void> = Promise.resolve();
  /** A push that has not read the revoked keys yet. */
  private nextPush: Promise<void> | undefined;

  constructor(
    private readonly configuration: Configuration,
    private readonly outbound: Outbound,
  ) {}

  /** Sets the source of agents and revoked keys. The constructor of AgentsService calls this method. */
  useDirectory(directory: AgentDirectory): void {
    this.directory = directory;
  }

  /**
   * Connects to NATS and creates missing streams and consumers. Waits until NATS is available. If the
   * connection is lost later, it is re-established automatically. Further calls return the same promise.
   */
  start(): Promise<void> {
    return (this.starting ??= this.open());
  }

  isConnected(): boolean {
    return this.connected;
  }

  /** Returns true if NATS is reachable and does not refuse the streams, so that commands and events can pass. */
  isReady(): boolean {
    return this.connected && this.refusal === undefined;
  }

  /**
   * The reason why NATS is unreachable, with its host and port, or why it refuses the streams. Undefined if NATS is
   * ready or the reason is not known yet.
   */
  get fault(): string | undefined {
    return this.watch?.reason ?? this.refusal;
  }

  /** Returns the connection after {@link start} has resolved. */
  async connectionWhenStarted(): Promise<NatsConnection> {
    await this.start();
    return this.required(this.connection);
  }

  /**
   * Resolves when JetStream has stored the command. JetStream drops a second command with the same key
   * within two minutes; see {@link keyOfCommand}.
   * @throws AgentLinkUnavailableError
   */
  async send(agentId: string, command: AgentCommand): Promise<void> {
    const connection = this.required(this.connected ? this.connection : undefined);
    const id = `cmd_${ulid()}`;
    const bytes = encodeCommand(id, command);
    try {
      await this.ensureAgentConsumer(agentId);
      await jetstream(connection).publish(commandSubject(agentId), bytes, {
        msgID: keyOfCommand(command, agentId) ?? id,
        headers: addressedTo(agentId),
      });
    } catch (cause) {
      throw new AgentLinkUnavailableError({ cause });
    }
  }

  /**
   * Publishes a pre-check request. NATS does not store it, so an agent that is not connected never receives it.
   * @throws AgentLinkUnavailableError
   */
  publishPrecheck(agentId: string, bytes: Uint8Array): void {
    const connection = this.required(this.connected ? this.connection : undefined);
    connection.publish(questionSubject(agentId), bytes, { headers: addressedTo(agentId) });
  }

  /** Creates or updates the consumer of an agent, and creates the streams again if they were deleted. */
  async ensureAgentConsumer(agentId: string): Promise<void> {
    const manager = await this.manager();
    try {
      await ensureAgentConsumerOn(manager, agentId);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('stream not found'))) throw error;
      await ensureStreams(manager, this.configuration.agentLink);
      await ensureAgentConsumerOn(manager, agentId);
    }
  }

  /**
   * Creates or updates the streams, the control plane's consumer and the consumers of all enrolled agents. If
   * an agent's consumer cannot be created, logs the error. The next command to that agent creates the
   * consumer.
   */
  async ensureTopology(): Promise<void> {
    const manager = await this.manager();
    await ensureStreams(manager, this.configuration.agentLink);
    await runEach(await this.directory.enrolledAgentIds(), (agentId) =>
      ensureAgentConsumerOn(manager, agentId),
    ).catch((error: unknown) =>
      this.logger.error(
        `could not create an agent's consumer: ${error instanceof Error ? error.message : 'unknown'}`,
      ),
    );
  }

  /**
   * Pushes the revoked keys of the directory to nats-server. The server closes the connections of these keys
   * and refuses their JWTs. Call this method after you commit a new revocation. Calls that wait for the same
   * push share it, because many agents may start at the same time.
   */
  pushRevocations(): Promise<void> {
    return (this.nextPush ??= this.lastPush.then(() => {
      this.nextPush = undefined;
      const push = this.directory.withRevokedKeys(async (revoked) =>
        this.pushClaims(await agentAccountClaims(this.seeds(), revoked)),
      );
      this.lastPush = push.catch(() => undefined); // the callers of this push receive the error
      return push;
    }));
  }

  async removeAgentConsumer(agentId: string): Promise<void> {
    await removeAgent(await this.manager(), agentId);
  }

  acknowledgeEvent(agentId: string, journalSeq: bigint): void {
    this.required(this.connection).publish(
      acknowledgementSubject(agentId),
      encodeAcknowledgement(journalSeq),
      { headers: addressedTo(agentId) },
    );
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.watch?.stop();
    await Promise.all([this.connection, this.system].map(closeNats));
  }

  private async open(): Promise<void> {
    const watch = this.watchLink();
    this.watch = watch;
    const attempts = {
      signal: this.stopping.signal,
      onFailure: (error: Error) => watch.attemptFailed(error),
    };
    this.connection = await connectAsControlPlane(this.outbound, this.configuration.nats, attempts);
    this.connected = true;
    void watch.follow(this.connection).then(() => (this.connected = false));
    this.system = await connectToSystemAccount(this.outbound, this.configuration.nats, attempts);
    void this.pushClaimsOnReconnect(this.system);
    await this.pushAccounts();
    await this.createTopology(this.system);
  }

  /** Creates streams and consumers. While NATS refuses that, repeats it, and reports the reason in {@link fault}. */
  private async createTopology(system: NatsConnection): Promise<void> {
    for (;;) {
      try {
        await this.ensureTopology();
        this.refusal = undefined;
        return;
      } catch (error) {
        if (!(error instanceof JetStreamApiError || error instanceof errors.TimeoutError)) throw error;
        const refusal = await this.explainRefusal(system, error);
        if (refusal !== this.refusal) this.logger.error(refusal);
        this.refusal = refusal;
      }
      await sleep(REPEAT_MS, undefined, { signal: this.stopping.signal });
    }
  }

  private async explainRefusal(system: NatsConnection, error: Error): Promise<string> {
    const storage = await this.manager()
      .then((manager) => readStreamStorage(system, manager, this.configuration.agentLink))
      .catch(() => undefined); // the error of the refusal is reported instead
    const lack = storage && lackOfStorage(storage);
    if (lack !== undefined) return `NATS: ${lack}; ${STORAGE_REMEDY}`;
    return `NATS refuses the streams of the control plane (${error.message}); check the limits of JetStream in its configuration, and its log`;
  }

  private watchLink(): NatsLinkWatch {
    return new NatsLinkWatch(this.outbound, [this.configuration.nats.url], {
      lost: (cause) => {
        this.connected = false;
        this.logger.warn(`disconnected from NATS: ${cause}`);
      },
      restored: () => {
        this.connected = true;
        this.logger.log('reconnected to NATS');
      },
      unreachable: (sentence) => this.logger.error(sentence),
      failed: (message) => this.logger.error(`NATS: ${message}`),
      refused: (message) =>
        `NATS refuses the credentials of the control plane (${message}); check that nats-server uses the configuration that was made from the same seeds, and the clocks of both machines`,
    });
  }

  /** Pushes the claims again after a reconnect, because a server that lost its data folder lost all revocations. */
  private async pushClaimsOnReconnect(system: NatsConnection): Promise<void> {
    for await (const status of system.status()) {
      if (status.type !== 'reconnect' || this.stopping.signal.aborted) continue;
      await this.pushAccounts().catch((error: unknown) =>
        this.logger.error(`could not push the account claims: ${String(error)}`),
      );
    }
  }

  /**
   * Pushes the claims of the control plane's account first, because the agents' account imports from that
   * account. Skips the control plane's claims if the server already has them, because a push of these claims
   * makes the server forget the reply subjects of pending pull requests.
   */
  private async pushAccounts(): Promise<void> {
    const claims = await accountClaims(this.seeds());
    if (!sameAccountClaims(await this.knownClaims(), claims)) await this.pushClaims(claims);
    await this.pushRevocations();
  }

  private async knownClaims(): Promise<string> {
    const account = keyPairOf('account', this.configuration.nats.accountSeed).getPublicKey();
    const subject = `$SYS.REQ.ACCOUNT.${account}.CLAIMS.LOOKUP`;
    const reply = await this.required(this.system).request(subject, '', { timeout: 5_000 });
    return reply.string();
  }

  private seeds() {
    const { operatorSeed, accountSeed, agentAccountSeed } = this.configuration.nats;
    return { operator: operatorSeed, account: accountSeed, agentAccount: agentAccountSeed };
  }

  private async pushClaims(claims: string): Promise<void> {
    const reply = await this.required(this.system).request('$SYS.REQ.CLAIMS.UPDATE', claims, {
      timeout: 5_000,
    });
    const { error } = reply.json<{ error?: { description?: string } }>();
    if (error)
      throw new Error(`nats-server refused the account claims: ${error.description ?? 'no reason given'}`);
  }

  private manager() {
    return jetstreamManager(this.required(this.connection), { checkAPI: false, timeout: 5_000 });
  }

  private required(connection: NatsConnection | undefined): NatsConnection {
    if (connection === undefined) throw new AgentLinkUnavailableError();
    return connection;
  }
}

const REPEAT_MS = 5_000;
