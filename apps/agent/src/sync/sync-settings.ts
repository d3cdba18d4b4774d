/** The slice of the agent's configuration that jobs need. */
export interface SyncSettings {
  readonly stateDir: string;
  /** Where pg_dump and pg_restore are; without it `searchPath`, then Debian's folders. */
  readonly pgBinDir?: string | undefined;
  /** The environment's PATH. */
  readonly searchPath?: string | undefined;
}

/** Injection token of {@link SyncSettings}. */
export const SYNC_SETTINGS = Symbol('SyncSettings');
