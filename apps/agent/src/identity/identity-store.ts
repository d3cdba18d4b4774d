import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ConfigurationError } from '../config/agent-configuration.js';
import type { AgentIdentity, UnenrolledIdentity } from './agent-identity.js';

/** An identity without ids belongs to an agent that is not enrolled yet. */
export type StoredIdentity = UnenrolledIdentity & Partial<AgentIdentity>;

/** Stores the identity in `identity.json` in the state folder. Only the owner can read the file; writes are atomic. */
export class IdentityStore {
  private readonly path: string;

  constructor(stateDir: string) {
    this.path = join(stateDir, 'identity.json');
  }

  /**
   * Returns the stored identity, or undefined if there is none.
   * @throws ConfigurationError if the file is damaged; the file is never overwritten in this case
   */
  async load(): Promise<StoredIdentity | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if ((error as { code?: string }).code === 'ENOENT') return undefined;
      throw error;
    });
    return text === undefined ? undefined : fromJson(text);
  }

  async save(identity: StoredIdentity): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const draft = `${this.path}.new`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.chmod(0o600); // otherwise a draft that a crash left behind keeps its old mode
      await file.writeFile(toJson(identity));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.path);
    const folder = await open(dirname(this.path), 'r');
    await folder.sync().finally(() => folder.close());
  }
}

function toJson(identity: StoredIdentity): string {
  const stored = {
    agent_id: identity.agentId,
    organization_id: identity.organizationId,
    nats_urls: identity.natsUrls,
    nats_seed: identity.natsSeed,
    sealing_public_key: base64(identity.sealing.publicKey),
    sealing_private_key: base64(identity.sealing.privateKey),
    masking_key: base64(identity.maskingKey),
    model_key: base64(identity.modelKey),
  };
  return `${JSON.stringify(stored, undefined, 2)}\n`;
}

function fromJson(text: string): StoredIdentity {
  try {
    const stored = JSON.parse(text) as Record<string, unknown>;
    const { agent_id: agentId, organization_id: organizationId, nats_urls: natsUrls } = stored;
    const enrolled =
      typeof agentId === 'string' && typeof organizationId === 'string' && Array.isArray(natsUrls)
        ? { agentId, organizationId, natsUrls: natsUrls.map(String) }
        : {};
    return {
      ...enrolled,
      natsSeed: seed(stored['nats_seed']),
      sealing: {
        publicKey: key(stored['sealing_public_key']),
        privateKey: key(stored['sealing_private_key']),
      },
      maskingKey: key(stored['masking_key']),
      modelKey: key(stored['model_key']),
    };
  } catch {
    throw new ConfigurationError('The agent has no usable identity', [
      'identity.json in UNDERSTUDY_AGENT_STATE_DIR is damaged: restore it, or move it away and enrol again (masked values change with the new masking key)',
    ]);
  }
}

function seed(value: unknown): string {
  if (typeof value !== 'string' || !value.startsWith('SU')) throw new TypeError('not a seed');
  return value;
}

function key(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : new Uint8Array();
  if (bytes.length !== 32) throw new TypeError('not a key');
  return bytes;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
