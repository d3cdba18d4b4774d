import { resolve } from 'node:path';

import {
  type Environment,
  EnvironmentReader,
  type Form,
  readerOf,
  type Variable,
  variable,
} from '@understudy/operator-commands';

export type { Environment };

/** Returns the environment variables of this process. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Returns the value of an environment variable, or undefined if the variable is not set. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

const path: Form<string> = { fallback: 'required', read: (reader, name) => resolve(reader.text(name)) };

export const STATE_DIR = variable(
  'UNDERSTUDY_AGENT_STATE_DIR',
  path,
  'folder of identity, masking key, private models and journal; back it up',
);
export const POLICY_FILE = variable('UNDERSTUDY_AGENT_POLICY_FILE', path, 'the policy file');

/**
 * Reads only the path of the state folder. Some commands need no other variable.
 * @throws ConfigurationError if the variable is not set
 */
export function readStateDir(env: Environment = process.env): string {
  return readOnly(STATE_DIR, env, 'The state folder is not known');
}

/**
 * Reads only the path of the policy file. Some commands need no other variable.
 * @throws ConfigurationError if the variable is not set
 */
export function readPolicyPath(env: Environment = process.env): string {
  return readOnly(POLICY_FILE, env, 'The policy file is not known');
}

function readOnly(declared: Variable<string>, env: Environment, subject: string): string {
  const reader = new EnvironmentReader(env);
  const value = readerOf(reader)(declared);
  if (reader.problems.length > 0) throw new ConfigurationError(subject, reader.problems);
  return value;
}

/** Reports all problems of the configuration, one per line. The message contains no values. */
export class ConfigurationError extends Error {
  readonly code = 'agent.configuration_invalid';

  constructor(
    readonly subject: string,
    readonly problems: readonly string[],
  ) {
    super(`${subject}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}
