import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StackError } from '../stack-error.js';
import { CHECKOUT } from './stack-options.js';

const run = promisify(execFile);

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @returns the environment of the caller without variables of Understudy, which may be settings of another
 *   stack
 */
export function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERSTUDY_')));
}

export function programFile(app: 'control-plane' | 'agent', file: 'main.js' | 'cli.js'): string {
  const path = join(CHECKOUT, 'apps', app, 'dist', file);
  if (existsSync(path)) return path;
  throw new StackError('configuration.invalid', `${path} does not exist`, 'build first: npm run build');
}

/**
 * Runs a command of the control plane's cli.js.
 * @returns its stdout
 * @throws StackError with the end of its output
 */
export async function controlPlaneCommand(args: readonly string[], env: Environment): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [programFile('control-plane', 'cli.js'), ...args], {
      env: { ...env },
      cwd: CHECKOUT,
      timeout: 120_000,
    });
    return stdout;
  } catch (cause) {
    if (cause instanceof StackError) throw cause;
    const { stderr, stdout } = cause as { stderr?: string; stdout?: string };
    const output = (stderr?.trim() || stdout?.trim() || String(cause)).split('\n').slice(-15).join('\n');
    throw new StackError(
      'service.not_ready',
      `control plane: "${args.slice(0, 2).join(' ')}" failed:\n${output}`,
      undefined,
      {
        cause,
      },
    );
  }
}
