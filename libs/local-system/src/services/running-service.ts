import type { ProcessSpec } from '../processes/start-process.js';
import type { ProcessIdentity } from '../processes/process-identity.js';

/** A service that was started and responds. */
export interface RunningService {
  readonly process: ProcessIdentity;
  readonly port: number;
  /** URL with user and password, without a database name. */
  readonly url: string;
}

/** Settings that every private service needs. */
export interface ServiceSettings extends Pick<ProcessSpec, 'logFile' | 'signal' | 'onSpawn'> {
  /** Absolute path. */
  readonly dataFolder: string;
  /** The port to use if it is free. Otherwise, another free port is used. */
  readonly preferredPort?: number;
}
