import { open, sealingPurpose } from '@understudy/sealed-box';
import { type DatabaseReference, type SyncJobCommand, SyncJobError } from '@understudy/sync-job';

import type { AgentIdentity } from '../../identity/agent-identity.js';
import type { ReceivedSyncJob } from '../../wire/decode-command.js';
import type { ReceivedDatabase } from '../../wire/command-fields.js';

/**
 * Decrypts the URLs of a sync job.
 * @throws SyncJobError `secret_unreadable` if a URL was not sealed to this agent, for this job, and for its
 * side (source or target)
 */
export async function openSecrets(received: ReceivedSyncJob, identity: Opener): Promise<SyncJobCommand> {
  const { jobId, source, target } = received;
  return {
    ...received,
    source: await openReference(source, { jobId, field: 'source' }, identity),
    target: await openReference(target, { jobId, field: 'target' }, identity),
  };
}

export type Opener = Pick<AgentIdentity, 'organizationId' | 'sealing'>;

/**
 * Decrypts the URL of a database reference.
 * @param purpose the id of the job, snapshot or restore for which the URL was sealed, and the side (source or
 * target)
 * @throws SyncJobError `secret_unreadable` if the URL was not sealed to this agent for this purpose
 */
export async function openReference(
  reference: ReceivedDatabase,
  { jobId, field }: { readonly jobId: string; readonly field: 'source' | 'target' },
  { organizationId, sealing }: Opener,
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
