import { Injectable } from '@nestjs/common';
import { fromPublic } from '@nats-io/nkeys';
import { agentPermissions } from '@understudy/agent-protocol/transport';
import { agentUserClaims, isSignedBy } from '@understudy/agent-protocol/nats-trust';

import { Configuration } from '../../../platform/config/configuration.js';

export interface AgentCredentials {
  readonly jwt: string;
  readonly expiresAt: Date;
}

/** Issues short-lived NATS JWTs for the keys of agents, and verifies signatures of these keys. */
@Injectable()
export class AgentTrustService {
  constructor(private readonly configuration: Configuration) {}

  /** The addresses that agents connect to. */
  get natsUrls(): readonly string[] {
    return [this.configuration.nats.publicUrl];
  }

  /** @param issuedAt decides whether a later revocation of older JWTs applies to this JWT */
  async issue(agentId: string, natsPublicKey: string, issuedAt: Date): Promise<AgentCredentials> {
    const issuedAtSeconds = Math.floor(issuedAt.getTime() / 1000);
    const expiresAtSeconds = issuedAtSeconds + JWT_SECONDS;
    const jwt = await agentUserClaims({
      accountSeed: this.configuration.nats.agentAccountSeed,
      agentId,
      userPublicKey: natsPublicKey,
      permissions: agentPermissions(agentId),
      issuedAtSeconds,
      expiresAtSeconds,
    });
    return { jwt, expiresAt: new Date(expiresAtSeconds * 1000) };
  }

  isUserPublicKey(text: string): boolean {
    try {
      return text.startsWith('U') && fromPublic(text).getPublicKey() === text;
    } catch {
      return false; // the checksum is wrong
    }
  }

  verify(natsPublicKey: string, message: string, signature: Uint8Array): boolean {
    try {
      return isSignedBy(natsPublicKey, new TextEncoder().encode(message), signature);
    } catch {
      return false; // `natsPublicKey` is not a public key
    }
  }
}

export const JWT_SECONDS = 15 * 60;

/**
 * Gives AgentLinkService access to enrolled agents and revoked keys. The agents feature implements this
 * interface on PostgreSQL.
 */
export interface AgentDirectory {
  /** Returns the ids of all agents that are not revoked. */
  enrolledAgentIds(): Promise<readonly string[]>;
  /**
   * Calls `push` with the revoked keys that may still have a valid JWT. Only one process at a time runs this
   * method.
   * @param push receives a Unix time in seconds for each NATS public key; JWTs of the key that were issued up
   *   to this time are refused
   */
  withRevokedKeys(push: (revoked: ReadonlyMap<string, number>) => Promise<void>): Promise<void>;
}
