import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { checkoutPrograms } from '@understudy/testing/provision';
import {
  freePort,
  startProcess,
  stopProcess,
  waitUntilReady,
  type ProcessIdentity,
} from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

// The path of the compiled file, which Node loads. It is correct both from src and from dist.
const SHIFT_CLOCK = new URL('../../dist/system/shift-clock.js', import.meta.url);

/**
 * Another replica of the stack's control plane with a wrong clock, on the same PostgreSQL, Redis and NATS.
 */
export class SecondControlPlane {
  private constructor(private readonly process: ProcessIdentity) {}

  /**
   * @param aheadMs how far its clock is ahead of the clock of the first control plane; negative if it is
   *   behind
   */
  static async start(stack: StackInfo, aheadMs: number): Promise<SecondControlPlane> {
    const first = stack.pids.control_plane;
    if (first === null) throw new Error('expected a running control plane whose environment can be copied');
    const { command, args } = checkoutPrograms().controlPlane;
    const port = await freePort();
    const env = {
      ...environmentOf(first),
      UNDERSTUDY_PORT: String(port),
      UNDERSTUDY_OPS_PORT: String(await freePort()),
      NODE_OPTIONS: `--import ${fileURLToPath(SHIFT_CLOCK)}`,
      FAULTS_CLOCK_AHEAD_MS: String(aheadMs),
    };
    const process = await startProcess(
      {
        name: 'second control plane',
        command,
        args: [...args, 'start'],
        env,
        cwd: stack.data_dir,
        logFile: join(stack.logs_dir, 'second-control-plane.log'),
      },
      (exited) => waitUntilReady(() => isReady(port), { exited }),
    );
    return new SecondControlPlane(process);
  }

  async stop(): Promise<void> {
    await stopProcess(this.process);
  }
}

async function isReady(port: number): Promise<void> {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (!ok) throw new Error(`GET /readyz returned ${status}`);
}

function environmentOf(pid: number): Record<string, string> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    pairs.filter((pair) => pair.includes('=')).map((pair) => split(pair, pair.indexOf('='))),
  );
}

function split(text: string, at: number): [string, string] {
  return [text.slice(0, at), text.slice(at + 1)];
}
