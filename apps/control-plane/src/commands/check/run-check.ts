import { CheckReport, type Environment, lineOf } from '@understudy/operator-commands';

import { checkConfiguration, checkNode } from './steps/configuration.js';
import { checkFiles } from './steps/files.js';
import { checkNats } from './steps/nats.js';
import { checkPorts } from './steps/ports.js';
import { checkPostgres } from './steps/postgres.js';
import { checkRedis } from './steps/redis.js';

export interface CheckOptions {
  readonly environment: Environment;
  /** The file of `--config`, whose mode is checked. */
  readonly configFile?: string;
  /** The command that starts nats-server with seeds that were just created. */
  readonly startNats?: string;
  readonly json: boolean;
  readonly write: (text: string) => void;
  /** Receives progress. */
  readonly note: (text: string) => void;
}

/**
 * Checks everything that the control plane needs, and prints the results.
 * @returns the exit code: 0 no step failed, 1 a step failed, 2 the configuration is invalid
 */
export async function runCheck(options: CheckOptions): Promise<number> {
  const { environment, configFile, startNats, json, write, note } = options;
  const report = new CheckReport(
    (result) => {
      if (!json) write(`${lineOf(result)}\n`);
    },
    (step) => note(`checking: ${step} …\n`),
  );
  checkNode(report, process.versions.node);
  const configuration = checkConfiguration(report, environment);
  if (configuration !== undefined) {
    checkFiles(report, configuration, configFile);
    await checkPorts(report, configuration);
    await checkPostgres(report, configuration.database);
    await checkRedis(report, configuration.redis);
    await checkNats(report, configuration, startNats);
    report.skip(
      'public URL',
      `not checked from this machine; open ${configuration.http.publicUrl}/healthz in the network of your agents`,
    );
  }
  if (json) write(`${JSON.stringify(report.results, undefined, 2)}\n`);
  if (configuration === undefined) return 2;
  return report.hasFailed ? 1 : 0;
}
