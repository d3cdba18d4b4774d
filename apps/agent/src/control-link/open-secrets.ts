import { open, sealingPurpose } from '@understudy/sealed-box';
import { type DatabaseReference, type SyncJobCommand, SyncJobError } from '@understudy/sync-engine';

import type { AgentIdentity } from '../identity/agent-identity.js';
import type { ReceivedDatabase, ReceivedSyncJob } from './decode-command.js';

/** @throws SyncJobError `secret_unreadable` when a URL was not sealed to this agent, for this job and this side */
export async function openSecrets(
  received: ReceivedSyncJob,
  identity: Pick<AgentIdentity, 'organizationId' | 'sealing'>,
): Promise<SyncJobCommand> {
  return {
    ...received,
    source: await openReference(received.source, { jobId: received.jobId, field: 'source' }, identity),
    target: await openReference(received.target, { jobId: received.jobId, field: 'target' }, identity),
  };
}

/** @throws SyncJobError `secret_unreadable` when a URL was not sealed to this agent for that */
export async function openReference(
  reference: ReceivedDatabase,
  { jobId, field }: { readonly jobId: string; readonly field: 'source' | 'target' },
  { organizationId, sealing }: Pick<AgentIdentity, 'organizationId' | 'sealing'>,
): Promise<DatabaseReference> {
  if (reference.kind === 'agent') return reference;
  const purpose = sealingPurpose({ organizationId, jobId, field });
  try {
    const url = await open(sealing.privateKey, reference.box, purpose);
    return { kind: 'url', url: new TextDecoder('utf-8', { fatal: true }).decode(url) };
  } catch (cause) {
    throw new SyncJobError({ code: 'secret_unreadable', side: field }, { cause });
  }
}
