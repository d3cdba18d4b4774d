import type { CheckReport, Environment } from '@understudy/operator-commands';

import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
} from '../../../platform/config/configuration.js';

/** Checks the version of Node.js. Versions 21 and 22.0 to 22.11 cannot load the program. */
export function checkNode(report: CheckReport, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
  if (isSupported) report.ok('Node.js', `version ${version}`);
  else report.fail('Node.js', `version ${version}`, 'install Node.js 20.19, 22.12 or newer');
}

/** Checks the variables. @returns undefined if the control plane could not start with them */
export function checkConfiguration(report: CheckReport, environment: Environment): Configuration | undefined {
  try {
    const configuration = readConfiguration(environment);
    const { certificate, publicUrl } = configuration.http;
    report.ok('configuration', `all variables are valid; the public URL is ${publicUrl}`);
    if (!publicUrl.startsWith('https:'))
      report.warn(
        'HTTPS',
        'agents and browsers on other machines need https://',
        'set UNDERSTUDY_PUBLIC_URL to an https:// address, unless you use this machine only',
      );
    else if (certificate === undefined)
      report.ok('HTTPS', 'the API listener uses plain HTTP, so a reverse proxy must end TLS');
    else report.ok('HTTPS', 'the API listener ends TLS itself');
    return configuration;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const problem of error.problems)
      report.fail('configuration', problem, 'correct the environment or the file of --config');
    return report.skip('all other steps', 'the configuration cannot be used');
  }
}
