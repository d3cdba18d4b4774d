import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { waitFor, type SharedTestServices } from '@understudy/testing';

const CLI = join(import.meta.dirname, '../../../dist/bundle/cli.js');

export interface ServerProcess {
  readonly url: string;
  /** The URL of the ops listener. */
  readonly opsUrl: string;
  readonly child: ChildProcess;
  /** Returns everything that the process has written to stdout and stderr. */
  output(): string;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
  /**
   * Sends SIGTERM.
   * @returns the exit code
   */
  stop(): Promise<number | null>;
}

/** Returns the environment variables of a server that uses the services of a test. */
export function serverEnvironment(services: SharedTestServices, databaseUrl: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    UNDERSTUDY_DATABASE_URL: databaseUrl,
    UNDERSTUDY_REDIS_URL: services.redisUrl,
    UNDERSTUDY_NATS_URL: services.natsUrl,
    UNDERSTUDY_NATS_OPERATOR_SEED: services.natsSeeds.operator,
    UNDERSTUDY_NATS_ACCOUNT_SEED: services.natsSeeds.account,
    UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: services.natsSeeds.agentAccount,
    UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: services.natsSeeds.systemAccount,
    UNDERSTUDY_OPS_PASSWORD: 'password-of-the-ops-page',
    UNDERSTUDY_GENERATION_THREADS: '1', // these tests generate little data, and a thread takes a tenth of the start
  };
}

const STARTS = 5;

/**
 * Starts the built server as a separate process. Resolves when the server is ready. Retries with other ports
 * if another process takes one of the chosen ports first.
 */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  if (!existsSync(CLI)) throw new Error('expected a built control plane; run: npx tsc -b apps/control-plane');
  for (let start = 1; ; start += 1) {
    try {
      return await startOn(await freePort(), await freePort(), env);
    } catch (error) {
      if (start === STARTS || !String(error).includes('EADDRINUSE')) throw error;
    }
  }
}

async function startOn(port: number, opsPort: number, env: Record<string, string>): Promise<ServerProcess> {
  const [url, opsUrl] = [port, opsPort].map((one) => `http://127.0.0.1:${one}`) as [string, string];
  const ports = { UNDERSTUDY_PORT: String(port), UNDERSTUDY_OPS_PORT: String(opsPort) };
  const child = spawn(process.execPath, [CLI, 'start'], { env: { ...env, ...ports } });
  let output = '';
  child.stdout.on('data', (data) => (output += String(data)));
  child.stderr.on('data', (data) => (output += String(data)));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    }
    return child.exitCode;
  };
  await waitFor('readiness', async () => {
    if (child.exitCode !== null) throw new Error(`expected a running server; its output: ${output}`);
    return (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  }).catch(async (error: unknown) => {
    await end('SIGKILL');
    throw error;
  });
  return {
    url,
    opsUrl,
    child,
    output: () => output,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
