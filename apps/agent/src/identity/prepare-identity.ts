import { randomBytes } from 'node:crypto';

import { generateKeyPair } from '@understudy/sealed-box';

import type { AgentConfiguration } from '../config/agent-configuration.js';
import { ConfigurationError } from '../config/configuration-error.js';
import { enrol } from '../control-link/enrolment-client.js';
import { createNatsSeed, natsPublicKeyOf } from '../control-link/nats-key.js';
import type { AgentIdentity, UnenrolledIdentity } from './agent-identity.js';
import { IdentityStore } from './identity-store.js';

/**
 * The stored identity; at the first start, a new one: keys are made and stored here, their public halves enrolled with the
 * one-time token.
 * @throws ConfigurationError without a token, EnrolmentError when the control plane refuses it
 */
export async function prepareIdentity(configuration: AgentConfiguration): Promise<AgentIdentity> {
  const store = new IdentityStore(configuration.stateDir);
  const stored = await store.load();
  if (stored?.agentId !== undefined && stored.organizationId !== undefined && stored.natsUrls !== undefined) {
    const { agentId, organizationId, natsUrls } = stored;
    return { ...stored, agentId, organizationId, natsUrls };
  }
  if (configuration.enrolmentToken === undefined) {
    throw new ConfigurationError('This agent is not enrolled', [
      'UNDERSTUDY_AGENT_ENROLMENT_TOKEN is not set: an administrator makes one with POST /v1/agents/enrolment-tokens',
    ]);
  }
  const keys = stored ?? (await newKeys());
  await store.save(keys); // before the public halves go out: an enrolled key must not be lost
  const enrolled = await enrol(configuration.controlUrl, {
    token: configuration.enrolmentToken,
    name: configuration.name,
    natsPublicKey: natsPublicKeyOf(keys.natsSeed),
    sealingPublicKey: keys.sealing.publicKey,
  });
  const identity: AgentIdentity = {
    ...keys,
    agentId: enrolled.agentId,
    organizationId: enrolled.organizationId,
    natsUrls: enrolled.natsUrls,
  };
  await store.save(identity);
  return identity;
}

async function newKeys(): Promise<UnenrolledIdentity> {
  return {
    natsSeed: createNatsSeed(),
    sealing: await generateKeyPair(),
    maskingKey: new Uint8Array(randomBytes(32)),
    modelKey: new Uint8Array(randomBytes(32)),
  };
}
