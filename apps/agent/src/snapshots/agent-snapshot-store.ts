import { createHmac } from 'node:crypto';

import type { SnapshotStore } from '@understudy/snapshot-store';

/** The store that this agent keeps snapshots in. Injected by this class. */
export class AgentSnapshotStore {
  /**
   * What it is called outside: 16 bytes, the same for all agents that share it, and nothing can be learned from them. Under the oldest key: the
   * store stays the same one when a new key is put before it.
   */
  readonly id: Uint8Array;

  /**
   * @param keys of 32 bytes: the one that seals, then those that sealed earlier archives
   * @param location names the store in the same words for all agents that share it
   */
  constructor(
    readonly store: SnapshotStore,
    readonly keys: readonly [Uint8Array, ...Uint8Array[]],
    location: string,
  ) {
    const words = `understudy snapshot store v1\n${location}`;
    this.id = new Uint8Array(
      createHmac('sha256', keys.at(-1) ?? keys[0])
        .update(words)
        .digest()
        .subarray(0, 16),
    );
  }
}
