import { Outbound } from '@understudy/outbound';

import { type AgentConfiguration, readAgentConfiguration } from '../../../config/agent-configuration.js';
import { ConfigurationError, type Environment } from '../../../config/environment.js';
import type { CheckReport } from '@understudy/operator-commands';

/** Checks the environment variables. @returns undefined if the agent could not start with them */
export function checkConfiguration(
  report: CheckReport,
  environment: Environment,
): { configuration: AgentConfiguration; outbound: Outbound } | undefined {
  try {
    const configuration = readAgentConfiguration(environment);
    const { proxy, caFile } = configuration.outbound;
    const via = proxy === undefined ? 'no proxy' : `proxy ${proxy.host}:${proxy.port}`;
    const trust = caFile === undefined ? 'no CA file' : 'certificates of UNDERSTUDY_CA_FILE';
    report.ok('configuration', `all variables are valid; ${via}, ${trust}`);
    return { configuration, outbound: new Outbound(configuration.outbound) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const problem of error.problems)
      report.fail('configuration', problem, 'correct the environment of the agent');
    return report.skip('all other steps', 'the configuration cannot be used');
  }
}
