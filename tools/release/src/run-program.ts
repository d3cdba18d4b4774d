import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT = 64 * 1024 * 1024;

const execute = promisify(execFile);

/**
 * Runs a program and waits for its end.
 * @returns the standard output, at most 64 MiB
 * @throws Error with the name of the program and its error output, if the exit code is not 0
 */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { ...options, maxBuffer: MAX_OUTPUT });
    return stdout;
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    throw new Error(`${program} ${args[0] ?? ''} failed: ${stderr?.trim() || message}`, { cause: error });
  }
}
