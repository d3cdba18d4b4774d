import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program to its end.
 * @returns the duration in milliseconds, with the start of the process
 * @throws Error with the end of the program's output if it fails
 */
export async function timeProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-2_000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with exit code ${String(code)}:\n${output}`);
  return performance.now() - started;
}
