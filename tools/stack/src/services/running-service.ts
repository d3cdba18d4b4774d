import type { ProcessIdentity } from '../processes/process-identity.js';

/** A service that has been started and answers. */
export interface RunningService {
  readonly process: ProcessIdentity;
  readonly port: number;
  /** With user and password, without a database name. */
  readonly url: string;
}

/** What every private service is told. */
export interface ServiceSettings {
  /** Absolute. */
  readonly dataFolder: string;
  readonly logFile: string;
  /** Taken when it is free; otherwise another one. */
  readonly preferredPort?: number;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
}
