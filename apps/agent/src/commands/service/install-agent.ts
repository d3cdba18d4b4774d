import { join } from 'node:path';

import {
  existingFiles,
  type FileChange,
  installService,
  type NewFile,
  requireRoot,
  ServiceError,
} from '@understudy/service-unit';

import { ENROLMENT_TOKEN } from '../../identity/enrolment-client.js';
import { IdentityStore } from '../../identity/identity-store.js';
import { AGENT_SERVICE, FILES } from './agent-service.js';
import { type AgentSettings, NEW_POLICY, newVariables } from './new-agent-files.js';
import { readSecret, type SecretInput } from './read-secret.js';

export interface AgentInstallation extends Omit<AgentSettings, 'controlUrl'> {
  /** Required unless the file of variables exists. */
  readonly controlUrl?: string | undefined;
  readonly root: string;
  readonly program: { readonly node: string; readonly script: string };
}

/**
 * Installs the agent as a service. Reads the enrolment token from standard input, unless the agent has one or is
 * enrolled.
 * @throws ServiceError or ConfigurationError before it changes anything, if an input is missing or invalid
 */
export async function installAgent(
  request: AgentInstallation,
  streams: SecretInput,
): Promise<readonly FileChange[]> {
  requireRoot('understudy-agent service install');
  const { root, program, controlUrl, ...settings } = request;
  const existing = existingFiles(AGENT_SERVICE, root, Object.values(FILES));
  const files: NewFile[] = [];
  if (!existing.includes(FILES.variables)) {
    if (controlUrl === undefined)
      throw new ServiceError('expected the option --control-url, such as https://understudy.example.com/v1');
    files.push(...newVariables({ controlUrl, ...settings }));
  }
  if (!existing.includes(FILES.token) && !(await isEnrolled(root))) files.push(await newToken(streams));
  return installService(AGENT_SERVICE, { program, root, files: [...files, NEW_POLICY] });
}

async function newToken(streams: SecretInput): Promise<NewFile> {
  const token = await readSecret('Enrolment token: ', streams);
  if (ENROLMENT_TOKEN.test(token)) return { name: FILES.token, content: `${token}\n` };
  const received = token === '' ? 'nothing' : `${token.length} characters of another form`;
  throw new ServiceError(
    `expected an enrolment token on standard input, us_enrol_ and 43 characters, but received ${received}. ` +
      'An administrator creates a token with POST /v1/agents/enrolment-tokens',
  );
}

async function isEnrolled(root: string): Promise<boolean> {
  const identity = await new IdentityStore(join(root, AGENT_SERVICE.stateFolder)).load();
  return identity?.agentId !== undefined;
}
