/** What jobs need to be told of the machine they run on. */
export interface SyncSettings {
  readonly stateDir: string;
  /** Pairs of connections that one job copies over. */
  readonly connections: number;
  /** About how much of a table, on disk, is copied as one unit. */
  readonly chunkBytes: number;
  /** Threads of one job that mask rows, started when a table is worth it; 0 or nothing: rows are masked where they are moved. */
  readonly maskingThreads?: number;
  /** So much of a table, on disk, is worth a thread. */
  readonly threadFromBytes?: number;
  /** So much of existing tables, on the source's disk, is worth making others that are exchanged for them; more where they are many. */
  readonly exchangeFromBytes?: number;
  /** How long the source stays held for a next attempt when this process is gone. Default: a minute, which outlives a lease. */
  readonly snapshotHeldMs?: number;
  /** How long a job stands back, in all, for sessions of the target that hold what it needs. Default: ten minutes. */
  readonly lockWaitMs?: number;
  /** How long others may queue behind one try of it. Default: two seconds. */
  readonly lockTryMs?: number;
  /** Where pg_dump and pg_restore are; without it `searchPath`, then Debian's folders. */
  readonly pgBinDir?: string | undefined;
  /** The environment's PATH. */
  readonly searchPath?: string | undefined;
}
