import { KEY_BYTES, keyId } from './sealing/archive-keys.js';

/** The keys of a store: one that seals, and all that open. */
export class StoreKeys {
  private readonly byId: ReadonlyMap<string, Uint8Array>;

  /**
   * @param current 32 random bytes; seals new archives
   * @param older keys that sealed earlier ones
   * @throws RangeError if one has not 32 bytes
   */
  constructor(
    readonly current: Uint8Array,
    older: readonly Uint8Array[] = [],
  ) {
    const keys = [current, ...older];
    if (keys.some((key) => key.length !== KEY_BYTES))
      throw new RangeError(`a snapshot key has ${KEY_BYTES} bytes`);
    this.byId = new Map(keys.map((key) => [keyId(key).toString('hex'), key]));
  }

  find(id: Uint8Array): Uint8Array | undefined {
    return this.byId.get(Buffer.from(id).toString('hex'));
  }
}
