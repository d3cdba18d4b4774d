import type { ProcessSpec } from '../processes/start-process.js';
import type { ProcessIdentity } from '../processes/process-identity.js';

/** A service that was started and responds. */
export interface RunningService {
  /** Identifies the process, also after its id was given to another one. */
  readonly process: ProcessIdentity;
  /** The port on 127.0.0.1. */
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
