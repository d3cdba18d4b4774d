/** Injection token of the engine's `SyncSettings`. */
export const SYNC_SETTINGS = Symbol('SyncSettings');
