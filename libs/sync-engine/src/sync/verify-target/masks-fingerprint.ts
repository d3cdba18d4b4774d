import { createHmac } from 'node:crypto';
import { ModelRegistry } from '../../training/model-registry.js';
import { ruleFacts } from '../fingerprint.js';
import type { SyncEnvironment } from '../sync-environment.js';
import type { SyncJobCommand } from '@understudy/sync-job';

/**
 * Stands for all that decides about masked values besides the databases: rules, seed, masking key, models, this engine. As it is when a job
 * has completed: a private model that is trained anew changes it. Under the masking key, so that it tells nobody without it anything.
 */
export function masksFingerprint(
  command: SyncJobCommand,
  { keys, models, builtin }: Pick<SyncEnvironment, 'keys' | 'models' | 'builtin'>,
): string {
  const facts = ruleFacts(command, new ModelRegistry(models, builtin, new Map()));
  return createHmac('sha256', keys.maskingKey)
    .update(JSON.stringify(['masks', facts]))
    .digest('hex');
}
