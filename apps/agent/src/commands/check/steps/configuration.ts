import { Outbound } from '@understudy/outbound';

import { type AgentConfiguration, readAgentConfiguration } from '../../../config/agent-configuration.js';
import { ConfigurationError, type Environment } from '../../../config/environment.js';
import type { CheckReport } from '../check-report.js';

/** Checks the environment variables. @returns undefined if the agent could not start with them */
export async function checkConfiguration(
  report: CheckReport,
  environment: Environment,
): Promise<{ configuration: AgentConfiguration; outbound: Outbound } | undefined> {
  const problems: string[] = [];
  const configuration = attempt(() => readAgentConfiguration(environment), problems);
  if (configuration === undefined || problems.length > 0) {
    for (const problem of problems)
      report.fail('configuration', problem, 'correct the environment of the agent');
    return report.skip('all other steps', 'the configuration cannot be used');
  }
  const { outbound: settings } = configuration;
  const { proxy } = settings;
  const via = proxy === undefined ? 'no proxy' : `proxy ${proxy.host}:${proxy.port}`;
  const trust = settings.caFile === undefined ? 'no CA file' : 'certificates of UNDERSTUDY_CA_FILE';
  return report.step('configuration', () =>
    Promise.resolve({
      facts: `all variables are valid; ${via}, ${trust}`,
      value: { configuration, outbound: new Outbound(settings) },
    }),
  );
}

function attempt<T>(read: () => T, problems: string[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    problems.push(...error.problems.filter((problem) => !problems.includes(problem)));
    return undefined;
  }
}
