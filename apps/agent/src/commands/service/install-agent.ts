import { join } from 'node:path';

import { askSecret } from '@understudy/operator-commands';
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
export async function installAgent(request: AgentInstallation): Promise<readonly FileChange[]> {
  requireRoot('understudy-agent service install');
  const { root, program, controlUrl, ...settings } = request;
  const existing = existingFiles(AGENT_SERVICE, root, Object.values(FILES));
  const files: NewFile[] = [];
  if (!existing.includes(FILES.variables)) {
    if (controlUrl === undefined)
      throw new ServiceError('expected the option --control-url, such as https://understudy.example.com/v1');
    files.push(...newVariables({ controlUrl, ...settings }));
  }
  if (!existing.includes(FILES.token) && !(await isEnrolled(root))) files.push(await newToken());
  return installService(AGENT_SERVICE, { program, root, files: [...files, NEW_POLICY] });
}

async function newToken(): Promise<NewFile> {
  const token = process.stdin.isTTY ? await askSecret('Enrolment token: ') : await firstInputLine();
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

/** Returns the first line of standard input, at most 4096 characters. Does not wait for the end of the input. */
async function firstInputLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > LONGEST_LINE) break;
  }
  return (text.split('\n', 1)[0] ?? '').slice(0, LONGEST_LINE).trim();
}

const LONGEST_LINE = 4096;
