import { open, sealingPurpose } from '@understudy/sealed-box';
import { type DatabaseReference, type SyncJobCommand, SyncJobError } from '@understudy/sync-engine';

import type { AgentIdentity } from '../identity/agent-identity.js';
import type { ReceivedSyncJob } from './decode-command.js';

/** @throws SyncJobError `secret_unreadable` when a URL was not sealed to this agent, for this job and this side */
export async function openSecrets(
  received: ReceivedSyncJob,
  identity: Pick<AgentIdentity, 'organizationId' | 'sealing'>,
): Promise<SyncJobCommand> {
  return {
    ...received,
    source: await openReference(received, 'source', identity),
    target: await openReference(received, 'target', identity),
  };
}

async function openReference(
  received: ReceivedSyncJob,
  field: 'source' | 'target',
  { organizationId, sealing }: Pick<AgentIdentity, 'organizationId' | 'sealing'>,
): Promise<DatabaseReference> {
  const reference = received[field];
  if (reference.kind === 'agent') return reference;
  const purpose = sealingPurpose({ organizationId, jobId: received.jobId, field });
  try {
    const url = await open(sealing.privateKey, reference.box, purpose);
    return { kind: 'url', url: new TextDecoder('utf-8', { fatal: true }).decode(url) };
  } catch (cause) {
    throw new SyncJobError({ code: 'secret_unreadable', side: field }, { cause });
  }
}
