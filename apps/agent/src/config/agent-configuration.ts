import { EnvironmentReader, readerOf } from '@understudy/operator-commands';
import { readOutboundSettings } from '@understudy/outbound';

import { ConfigurationError, type Environment } from './environment.js';
import { readSnapshotStoreSettings } from './snapshot-store-settings.js';
import { VARIABLES } from './variables.js';

export { ConfigurationError };

/** Reads every variable. The order is that of the problems. */
function readSettings(reader: EnvironmentReader) {
  const read = readerOf(reader);
  return {
    stateDir: read(VARIABLES.stateDir),
    policyFile: read(VARIABLES.policyFile),
    controlUrl: read(VARIABLES.controlUrl),
    name: read(VARIABLES.name),
    enrolmentToken: read(VARIABLES.enrolmentToken),
    labels: read(VARIABLES.labels),
    maskingKeyFile: read(VARIABLES.maskingKeyFile),
    logLevel: read(VARIABLES.logLevel),
    pgBinDir: read(VARIABLES.pgBinDir),
    snapshots: readSnapshotStoreSettings(reader),
    /** The CA file and the proxy for connections to the control plane and NATS. */
    outbound: readOutboundSettings(reader.environment, reader.problems),
    maxJobs: read(VARIABLES.maxJobs),
    connections: read(VARIABLES.connections),
    maskingThreads: read(VARIABLES.maskingThreads),
    chunkBytes: read(VARIABLES.chunkBytes),
    lockWaitMs: read(VARIABLES.lockWaitMs),
    journalMaxBytes: read(VARIABLES.journalMaxBytes),
    minFreeDiskBytes: read(VARIABLES.minFreeDiskBytes),
    modelCacheMaxBytes: read(VARIABLES.modelCacheMaxBytes),
    logsRowValues: read(VARIABLES.logsRowValues),
    /**
     * Time in milliseconds without heartbeat replies after which the agent stops jobs that have no grace period. It is
     * shorter than the lease of the control plane (45 s by default), after which another agent may run the jobs. No
     * variable changes it.
     */
    lostAfterMs: 30_000,
  };
}

type Settings = Readonly<ReturnType<typeof readSettings>>;

/** Gives a class the properties of the settings, which its constructor assigns. */
const SettingsBase = Object as unknown as new () => Settings;

/**
 * The validated, frozen configuration of the agent. The class is also the injection token of the
 * configuration.
 */
export class AgentConfiguration extends SettingsBase {
  constructor(values: Pick<Settings, 'stateDir' | 'policyFile' | 'controlUrl'> & Partial<Settings>) {
    super();
    Object.assign(this, readSettings(new EnvironmentReader({})), values);
    Object.freeze(this);
  }
}

/**
 * Reads and validates the environment variables.
 * @throws ConfigurationError that names every missing or invalid variable
 */
export function readAgentConfiguration(env: Environment = process.env): AgentConfiguration {
  const reader = new EnvironmentReader(env, 'a whole number');
  const settings = readSettings(reader);
  if (reader.problems.length > 0)
    throw new ConfigurationError('The agent cannot start with this environment', reader.problems);
  return new AgentConfiguration(settings);
}
