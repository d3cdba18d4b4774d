/** The one place of this library that reads the environment. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}
