import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { createUserSeed, keyPairOf } from '@understudy/agent-protocol/nats-trust';
import type { Outbound } from '@understudy/outbound';
import { generateKeyPair } from '@understudy/agent-protocol/sealed-box';

import { type AgentConfiguration, ConfigurationError } from '../config/agent-configuration.js';
import { type AgentCredentials, enrol, EnrolmentError, retryDelayMs } from './enrolment-client.js';
import type { AgentIdentity, UnenrolledIdentity } from './agent-identity.js';
import { IdentityStore } from './identity-store.js';
import { readMaskingKey } from './read-masking-key.js';

/**
 * Returns the stored identity. At the first start, creates keys, stores them, and enrols the agent with the
 * public keys and the one-time token. Retries without limit until the control plane is reachable.
 * @param warn receives the reason of a failed attempt, each time that the reason changes, and a remark about a token
 * that is no longer needed
 * @throws ConfigurationError if the token is missing, or if the masking key differs from the stored one
 * @throws EnrolmentError if the control plane refuses the enrolment
 */
export async function prepareIdentity(
  configuration: AgentConfiguration,
  outbound: Outbound,
  warn: (message: string) => void,
): Promise<AgentIdentity> {
  const store = new IdentityStore(configuration.stateDir);
  const stored = await store.load();
  const shared = await readMaskingKey(configuration.maskingKeyFile);
  if (stored !== undefined && shared !== undefined) requireSame(stored.maskingKey, shared);
  if (stored?.agentId !== undefined && stored.organizationId !== undefined && stored.natsUrls !== undefined) {
    const { agentId, organizationId, natsUrls } = stored;
    if (configuration.enrolmentToken !== undefined)
      warn(
        'this agent is enrolled: remove UNDERSTUDY_AGENT_ENROLMENT_TOKEN from its environment, or delete its file',
      );
    return { ...stored, agentId, organizationId, natsUrls };
  }
  if (!configuration.enrolmentToken) {
    throw new ConfigurationError('This agent is not enrolled', [
      'UNDERSTUDY_AGENT_ENROLMENT_TOKEN is not set: an administrator creates a token with POST /v1/agents/enrolment-tokens',
      IF_LOST,
    ]);
  }
  const keys = stored ?? (await newKeys(shared));
  await store.save(keys); // before they are enrolled, because an enrolled key must not be lost
  const request = {
    token: configuration.enrolmentToken,
    name: configuration.name,
    natsPublicKey: keyPairOf('user', keys.natsSeed).getPublicKey(),
    sealingPublicKey: keys.sealing.publicKey,
  };
  const enrolled = await untilReachable(() => enrol(outbound, configuration.controlUrl, request), warn);
  const identity: AgentIdentity = {
    ...keys,
    agentId: enrolled.agentId,
    organizationId: enrolled.organizationId,
    natsUrls: enrolled.natsUrls,
  };
  await store.save(identity);
  return identity;
}

/** The state folder contains no identity, although the agent may have had one. */
const IF_LOST =
  'if this agent was enrolled before, restore the backup of UNDERSTUDY_AGENT_STATE_DIR, or enrol a new agent with a new token (masked values change)';

/** Repeats an attempt until it succeeds or is refused. */
async function untilReachable(
  attempt: () => Promise<AgentCredentials>,
  warn: (message: string) => void,
): Promise<AgentCredentials> {
  let last: string | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof EnrolmentError)) throw error;
      if (error.refused && error.status === 401)
        throw new EnrolmentError(`${error.message}; ${IF_LOST}`, true, { status: 401, cause: error });
      if (error.refused) throw error;
      if (error.message !== last) warn(`the agent is not enrolled yet and will try again: ${error.message}`);
      last = error.message;
    }
    await sleep(retryDelayMs(1));
  }
}

function requireSame(stored: Uint8Array, shared: Uint8Array): void {
  if (timingSafeEqual(stored, shared)) return;
  throw new ConfigurationError('The agent has another masking key', [
    'the key in UNDERSTUDY_AGENT_MASKING_KEY_FILE differs from the key that this agent has used so far: use an empty UNDERSTUDY_AGENT_STATE_DIR, or unset the variable',
  ]);
}

/**
 * Creates the agent's keys.
 * @param maskingKey the key that a group of agents shares; random if omitted
 */
async function newKeys(maskingKey = new Uint8Array(randomBytes(32))): Promise<UnenrolledIdentity> {
  return {
    natsSeed: createUserSeed(),
    sealing: await generateKeyPair(),
    maskingKey,
    modelKey: new Uint8Array(randomBytes(32)),
  };
}
