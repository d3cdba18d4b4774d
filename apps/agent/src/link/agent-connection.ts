import { setTimeout as sleep } from 'node:timers/promises';

import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AuthorizationError, jwtAuthenticator, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { ConnectionWatch } from '@understudy/connection-fault';
import { agentInboxPrefix } from '@understudy/jetstream-transport';
import { asksForTls } from '@understudy/nats-trust';

import { AgentConfiguration } from '../config/agent-configuration.js';
import { AGENT_IDENTITY, type AgentIdentity } from '../identity/agent-identity.js';
import {
  EnrolmentError,
  newNonce,
  renew,
  retryDelayMs,
  type AgentCredentials,
} from '../identity/enrolment-client.js';
import { checkNatsAddresses, isRenewalDue } from './credentials.js';

/** The state of the link, which `understudy-agent status` prints. */
export interface LinkState {
  readonly isConnected: boolean;
  /** When the connection was opened or lost. */
  readonly since: Date;
  /** The cause and the remedy while there is no connection, if they are known. */
  readonly reason: string | undefined;
  /** The end of the validity of the credential. */
  readonly validUntil: Date | undefined;
}

/** Holds the agent's only connection to NATS and renews the short-lived JWT that opens it. */
@Injectable()
export class AgentConnection implements OnApplicationShutdown {
  private readonly logger = new Logger(AgentConnection.name);
  private readonly seed: Uint8Array;
  private credentials: (AgentCredentials & { readonly issuedAt: Date }) | undefined;
  private opening: Promise<NatsConnection> | undefined;
  private connection: NatsConnection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;
  /** The number of renewals refused in a row, the last reported reason, and the earliest time to retry. */
  private failures = { refusals: 0, reported: '', retryAtMs: 0 };
  private link: ConnectionWatch | undefined;
  private readonly instance = newNonce();
  private supersede: (error: EnrolmentError) => void = () => undefined;
  /** Resolves when a newer process has taken over the identity of this agent. This process must end then. */
  readonly whenSuperseded = new Promise<EnrolmentError>((resolve) => (this.supersede = resolve));
  private stopped = false;
  private isConnected = false;
  private changedAt = new Date();

  constructor(
    private readonly configuration: AgentConfiguration,
    @Inject(AGENT_IDENTITY) private readonly identity: AgentIdentity,
  ) {
    this.seed = new TextEncoder().encode(identity.natsSeed);
  }

  /** Opens the connection at the first call. Retries until the control plane and NATS are reachable. */
  open(): Promise<NatsConnection> {
    return (this.opening ??= this.openConnection());
  }

  /** The connection, or undefined while it is not open. */
  get current(): NatsConnection | undefined {
    return this.connection?.isClosed() === false ? this.connection : undefined;
  }

  get state(): LinkState {
    const { isConnected, changedAt: since, credentials } = this;
    const reason = isConnected ? undefined : this.link?.reason || this.failures.reported || undefined;
    return { isConnected, since, reason, validUntil: credentials?.expiresAt };
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.link?.up();
    await leave(this.connection);
  }

  private async openConnection(): Promise<NatsConnection> {
    while (this.credentials === undefined) {
      await this.renew();
      if (this.stopped) throw new Error('stopped before the control plane was reached');
      if (this.credentials === undefined) await sleep(this.failures.retryAtMs - Date.now());
    }
    const { natsUrls } = this.credentials;
    checkNatsAddresses(natsUrls);
    this.timer = setInterval(() => void this.renewWhenDue(), CHECK_MS);
    const link = new ConnectionWatch(natsUrls, (reason) => this.logger.warn(reason));
    this.link = link;
    link.down();
    const connection = await connect({
      servers: [...natsUrls],
      name: `understudy-agent ${this.identity.agentId}`,
      inboxPrefix: agentInboxPrefix(this.identity.agentId),
      authenticator: jwtAuthenticator(() => this.credentials?.natsJwt ?? '', this.seed),
      ...(asksForTls(natsUrls) ? { tls: {} } : {}),
      // Use only addresses that checkNatsAddresses has checked, not others that the server announces.
      ignoreClusterUpdates: true,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      // Keep trying after the server has refused an expired JWT, because the timer below replaces the JWT.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: 500,
      pingInterval: 10_000,
    });
    link.up();
    this.connection = connection;
    this.changed(true);
    void this.watch(connection, link);
    this.logger.log(`connected as ${this.identity.agentId}`);
    return connection;
  }

  private async renewWhenDue(): Promise<void> {
    const now = new Date();
    if (this.credentials === undefined || !isRenewalDue(this.credentials, { now })) return;
    if (now.getTime() < this.failures.retryAtMs) return;
    const before = this.credentials;
    await this.renew();
    // The server closes a connection when the JWT that opened it expires. Reconnect with the new JWT before
    // the old JWT expires.
    if (this.credentials !== before && !this.stopped) await this.connection?.reconnect().catch(ignoreClosed);
  }

  /**
   * Renews before the JWT is due, because NATS has refused it. The response shows whether the agent is revoked, or
   * whether a newer process has taken over.
   */
  private async renewRefused(): Promise<void> {
    const renewedAtMs = this.credentials?.issuedAt.getTime() ?? 0;
    if (Date.now() < Math.max(this.failures.retryAtMs, renewedAtMs + CHECK_MS)) return;
    await this.renew();
  }

  private changed(isConnected: boolean): void {
    this.isConnected = isConnected;
    this.changedAt = new Date();
  }

  private renew(): Promise<void> {
    return (this.renewing ??= this.renewOnce().finally(() => (this.renewing = undefined)));
  }

  private async renewOnce(): Promise<void> {
    const issuedAt = new Date();
    try {
      const instance = { id: this.instance, takesOver: this.credentials === undefined };
      const credentials = await renew(this.configuration.controlUrl, this.identity, instance, issuedAt);
      this.credentials = { ...credentials, issuedAt };
      this.failures = { refusals: 0, reported: '', retryAtMs: 0 };
    } catch (error) {
      if (error instanceof EnrolmentError && error.reason === 'superseded') return this.supersede(error);
      // The timer retries. Until then the old JWT may still be valid.
      const reason = error instanceof Error ? error.message : 'unknown error';
      if (reason !== this.failures.reported)
        this.logger.error(`the credentials could not be renewed: ${reason}`);
      // Only refusals slow the agent down. It must return soon after an unreachable control plane has returned.
      const isRefused = error instanceof EnrolmentError && error.refused;
      const refusals = isRefused ? this.failures.refusals + 1 : 0;
      const retryAtMs = Date.now() + retryDelayMs(Math.max(1, refusals));
      this.failures = { refusals, reported: reason, retryAtMs };
    }
  }

  private async watch(connection: NatsConnection, link: ConnectionWatch): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        this.logger.warn('disconnected from NATS');
        this.changed(false);
        link.down();
        void this.renewWhenDue();
      }
      if (status.type === 'reconnect') {
        this.logger.log('reconnected to NATS');
        this.changed(true);
        link.up();
      }
      if (status.type === 'error') {
        this.logger.warn(`NATS: ${status.error.message}`);
        if (status.error instanceof AuthorizationError) void this.renewRefused();
      }
    }
  }
}

/** Sends the remaining messages and closes the connection. Waits at most 2 s, because NATS may be unreachable. */
async function leave(connection: NatsConnection | undefined): Promise<void> {
  if (connection === undefined) return;
  const drained = connection.drain().catch(ignoreClosed);
  await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })]);
  await connection.close().catch(ignoreClosed);
}

/** Ignores the error of a connection that is already closed. */
function ignoreClosed(): void {}

const DRAIN_MS = 2_000;
const CHECK_MS = 5_000;
