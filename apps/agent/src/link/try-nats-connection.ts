import { jwtAuthenticator } from '@nats-io/nats-core';
import { agentInboxPrefix } from '@understudy/agent-protocol/transport';
import { connectNats, type Outbound } from '@understudy/outbound';

export interface NatsCredentials {
  readonly urls: readonly string[];
  readonly agentId: string;
  readonly natsJwt: string;
  readonly natsSeed: string;
}

/**
 * Opens a connection to NATS as an agent does, and closes it again.
 * @returns the reason of the first failed attempt, or undefined if NATS accepted the credentials
 */
export async function tryNatsConnection(
  outbound: Outbound,
  { urls, agentId, natsJwt, natsSeed }: NatsCredentials,
  signal: AbortSignal,
): Promise<string | undefined> {
  const firstFailure = new AbortController();
  let reason: string | undefined;
  try {
    const connection = await connectNats(outbound, {
      urls,
      name: `understudy-agent check ${agentId}`,
      inboxPrefix: agentInboxPrefix(agentId),
      authenticator: jwtAuthenticator(natsJwt, new TextEncoder().encode(natsSeed)),
      onlyTheseUrls: true,
      onFailure: ({ message }) => {
        reason = message;
        firstFailure.abort();
      },
      signal: AbortSignal.any([signal, firstFailure.signal]),
    });
    await connection.close();
    return undefined;
  } catch (error) {
    if (reason === undefined) throw error;
    return reason;
  }
}
