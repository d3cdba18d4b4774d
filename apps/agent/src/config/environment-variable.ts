/** For `url_env` of the policy file: the variable is named there, and its value stays in the process. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}
