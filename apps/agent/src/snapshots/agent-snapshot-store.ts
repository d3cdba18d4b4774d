import { createHmac } from 'node:crypto';

import type { SnapshotStore } from '@understudy/snapshot-store';

/** The store in which this agent keeps snapshots. */
export class AgentSnapshotStore {
  /**
   * The id by which the control plane identifies the store: a keyed hash of 32 hex digits that reveals
   * nothing about the location. It is the same for all agents that share the store. It is derived with the oldest
   * key, so a new key does not change it.
   */
  readonly id: string;

  /**
   * @param keys keys of 32 bytes: the key that seals new archives, then the keys of earlier archives
   * @param location describes the location of the store; must be equal for all agents that share the store
   */
  constructor(
    readonly store: SnapshotStore,
    readonly keys: readonly [Uint8Array, ...Uint8Array[]],
    location: string,
  ) {
    const text = `understudy snapshot store v1\n${location}`;
    this.id = createHmac('sha256', keys.at(-1) ?? keys[0])
      .update(text)
      .digest()
      .toString('hex', 0, 16);
  }
}
