import { isAbsolute } from 'node:path';

/** The variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the variable that `url_env` of the policy file names; its value stays in the process. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/** Returns the value of a variable that must be set, or adds a problem and returns ''. */
export function required(env: Environment, name: string, problems: string[]): string {
  const value = env[name] ?? '';
  if (value === '') problems.push(`${name} is not set`);
  return value;
}

/** Returns undefined for a variable that is not set, and adds a problem for a path that is not absolute. */
export function absolutePath(env: Environment, name: string, problems: string[]): string | undefined {
  const path = env[name] || undefined;
  if (path !== undefined && !isAbsolute(path)) problems.push(`${name} must be an absolute path`);
  return path;
}

/** The reader returns a whole number within both bounds (inclusive), or adds a problem and returns `otherwise`. */
export function integerReader(env: Environment, problems: string[]) {
  return (name: string, from: number, to: number, otherwise: number): number => {
    const text = env[name] || String(otherwise);
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= from && value <= to) return value;
    problems.push(`${name} must be a whole number from ${from} to ${to}`);
    return otherwise;
  };
}
