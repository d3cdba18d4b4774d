/** The environment of this process: nothing else of the command reads it. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
