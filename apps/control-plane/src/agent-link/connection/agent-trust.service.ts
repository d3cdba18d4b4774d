import { Injectable } from '@nestjs/common';
import { fromPublic } from '@nats-io/nkeys';
import { agentPermissions } from '@understudy/jetstream-transport';
import { agentUserClaims, isSignedBy } from '@understudy/nats-trust';

import { Configuration } from '../../config/configuration.js';

export interface AgentCredentials {
  readonly jwt: string;
  readonly expiresAt: Date;
}

/** Decides what an agent's key is good for: signs its short-lived NATS JWT and checks what it signed. */
@Injectable()
export class AgentTrustService {
  constructor(private readonly configuration: Configuration) {}

  /** Where agents dial. */
  get natsUrls(): readonly string[] {
    return [this.configuration.nats.publicUrl];
  }

  async issue(agentId: string, natsPublicKey: string, now: Date): Promise<AgentCredentials> {
    const expiresAtSeconds = Math.floor(now.getTime() / 1000) + JWT_SECONDS;
    const jwt = await agentUserClaims({
      accountSeed: this.configuration.nats.agentAccountSeed,
      agentId,
      userPublicKey: natsPublicKey,
      permissions: agentPermissions(agentId),
      expiresAtSeconds,
    });
    return { jwt, expiresAt: new Date(expiresAtSeconds * 1000) };
  }

  isUserPublicKey(text: string): boolean {
    try {
      return text.startsWith('U') && fromPublic(text).getPublicKey() === text;
    } catch {
      return false; // the checksum does not fit
    }
  }

  verify(natsPublicKey: string, message: string, signature: Uint8Array): boolean {
    try {
      return isSignedBy(natsPublicKey, new TextEncoder().encode(message), signature);
    } catch {
      return false; // no public key
    }
  }
}

/** How long an agent's JWT is good for. */
export const JWT_SECONDS = 15 * 60;

/** What the link has to know of enrolled agents; the agents feature answers from Postgres. */
export interface AgentDirectory {
  /** Ids of all agents that are not revoked. */
  enrolledAgentIds(): Promise<readonly string[]>;
  /**
   * Calls `push` with the revoked keys whose JWTs may not have expired yet, and lets nobody else read the list before `push` has ended.
   * @param push gets NATS public key → the second (since the Unix epoch) up to which its JWTs are refused
   */
  withRevokedKeys(push: (revoked: ReadonlyMap<string, number>) => Promise<void>): Promise<void>;
}
