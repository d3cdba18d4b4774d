import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LocalSystemError } from '../local-system-error.js';

const run = promisify(execFile);

export type Environment = Readonly<Record<string, string | undefined>>;

/** A program with commands, such as `understudy-control-plane`. */
export interface Program {
  readonly command: string;
  /** Arguments before the name of a command. */
  readonly args: readonly string[];
}

/** The programs of a system. Both have a command `start`, which runs them until they receive SIGTERM. */
export interface Programs {
  readonly controlPlane: Program;
  /** Absent if the system has no agent. */
  readonly agent?: Program;
}

/**
 * @returns the environment of the caller without variables of Understudy, which may be settings of another
 *   system
 */
export function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERSTUDY_')));
}

/**
 * Runs a command of the control plane to its end.
 * @returns its stdout
 * @throws LocalSystemError with the end of its output
 */
export async function runCommand(
  { command, args }: Program,
  words: readonly string[],
  env: Environment,
): Promise<string> {
  try {
    return (await run(command, [...args, ...words], { env: { ...env }, timeout: 120_000 })).stdout;
  } catch (cause) {
    const { stderr, stdout } = cause as { stderr?: string; stdout?: string };
    const output = (stderr?.trim() || stdout?.trim() || String(cause)).split('\n').slice(-15).join('\n');
    const message = `control plane: "${words.slice(0, 2).join(' ')}" failed:\n${output}`;
    throw new LocalSystemError('service.not_ready', message, undefined, { cause });
  }
}
