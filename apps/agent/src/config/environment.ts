import { isAbsolute, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment variables of this process. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Returns the value of an environment variable, or undefined if the variable is not set. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/** Returns the value of a required variable. If the variable is not set, adds a problem and returns ''. */
export function required(env: Environment, name: string, problems: string[]): string {
  const value = env[name] ?? '';
  if (value === '') problems.push(`${name} is not set`);
  return value;
}

/**
 * Returns the path in a variable, or undefined if the variable is not set. Adds a problem if the path is not
 * absolute.
 */
export function absolutePath(env: Environment, name: string, problems: string[]): string | undefined {
  const path = env[name] || undefined;
  if (path !== undefined && !isAbsolute(path)) problems.push(`${name} must be an absolute path`);
  return path;
}

/**
 * Creates a reader of integer variables. The reader returns the variable's value if it is between the
 * inclusive bounds `from` and `to`. If the variable is not set or has another value, the reader returns the
 * argument `otherwise`. For another value, it also adds a problem.
 */
export function integerReader(env: Environment, problems: string[]) {
  return (name: string, from: number, to: number, otherwise: number): number => {
    const text = env[name] || String(otherwise);
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= from && value <= to) return value;
    problems.push(`${name} must be a whole number from ${from} to ${to}`);
    return otherwise;
  };
}

/**
 * Reads only the path of the state folder. Some commands need no other variable.
 * @throws ConfigurationError if the variable is not set
 */
export function readStateDir(env: Environment = process.env): string {
  const problems: string[] = [];
  const stateDir = required(env, 'UNDERSTUDY_AGENT_STATE_DIR', problems);
  if (problems.length > 0) throw new ConfigurationError('The state folder is not known', problems);
  return resolve(stateDir);
}

/**
 * Reads only the path of the policy file. Some commands need no other variable.
 * @throws ConfigurationError if the variable is not set
 */
export function readPolicyPath(env: Environment = process.env): string {
  const problems: string[] = [];
  const policyFile = required(env, 'UNDERSTUDY_AGENT_POLICY_FILE', problems);
  if (problems.length > 0) throw new ConfigurationError('The policy file is not known', problems);
  return resolve(policyFile);
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
