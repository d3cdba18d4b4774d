import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { NewFile } from '@understudy/service-unit';

import { readAgentConfiguration } from '../../config/agent-configuration.js';
import { ConfigurationError } from '../../config/environment.js';
import { AGENT_SERVICE, FILES } from './agent-service.js';

export interface AgentSettings {
  /** The URL of the control plane's API. It ends with `/v1`. */
  readonly controlUrl: string;
  readonly name?: string | undefined;
  /** Path of a PEM file with certificate authorities. The service gets a copy, because it may not read the original. */
  readonly caFile?: string | undefined;
}

/**
 * Returns the environment file of a new agent, and the file with certificate authorities.
 * @throws ConfigurationError if the agent could not start with the settings
 */
export function newVariables(settings: AgentSettings): NewFile[] {
  const { configFolder, stateFolder } = AGENT_SERVICE;
  const authorities = settings.caFile === undefined ? [] : [readAuthorities(settings.caFile)];
  const variables: Record<string, string> = {
    UNDERSTUDY_CONTROL_URL: checkedUrl(settings.controlUrl),
    ...(settings.name !== undefined && { UNDERSTUDY_AGENT_NAME: settings.name }),
    ...(authorities.length > 0 && { UNDERSTUDY_CA_FILE: join(configFolder, FILES.authorities) }),
    UNDERSTUDY_AGENT_STATE_DIR: stateFolder,
    UNDERSTUDY_AGENT_POLICY_FILE: join(configFolder, FILES.policy),
  };
  // The copy of the authorities does not exist yet, so the original is checked in its place.
  readAgentConfiguration({
    ...variables,
    ...(settings.caFile !== undefined && { UNDERSTUDY_CA_FILE: resolve(settings.caFile) }),
  });
  const lines = Object.entries({
    ...variables,
    UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE: join(configFolder, FILES.token),
  }).map(([name, value]) => `${name}=${value}\n`);
  return [...authorities, { name: FILES.variables, content: VARIABLES_HEAD + lines.join('') }];
}

/** The policy of a new agent. It allows no database. */
export const NEW_POLICY: NewFile = {
  name: FILES.policy,
  content: `# The databases that the agent may use. Without an entry, it refuses every job.
# The guide "Run an agent" describes all keys.
#
# databases:
#   shop:
#     url_env: SHOP_URL            # add a line SHOP_URL=postgresql://… to agent.env
#     roles: [source]
#   shop-staging:
#     url_env: SHOP_STAGING_URL
#     roles: [target]
`,
};

const VARIABLES_HEAD = `# Environment variables of the agent. Restart the agent after a change.
# Only root and the group understudy-agent can read this file, so it may contain the URLs of databases.
`;

function checkedUrl(url: string): string {
  // A file of variables gives some of the excluded characters a meaning of their own.
  if (/^https?:\/\/[^\s?#"'`\\]+\/v1\/?$/.test(url)) return url;
  throw new ConfigurationError('The agent cannot use this control plane', [
    '--control-url must be the URL of the API, such as https://understudy.example.com/v1',
  ]);
}

function readAuthorities(path: string): NewFile {
  try {
    const content = readFileSync(path, 'utf8');
    new X509Certificate(content); // throws unless the file begins with a certificate
    return { name: FILES.authorities, content };
  } catch (error) {
    const { code } = error as { code?: string };
    const reason =
      code === 'ENOENT' || code === 'EACCES' ? `cannot be read (${code})` : 'contains no certificate';
    throw new ConfigurationError('The agent cannot use these certificate authorities', [
      `--ca-file ${reason}: name a PEM file`,
    ]);
  }
}
