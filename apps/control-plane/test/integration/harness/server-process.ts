import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { waitFor, type TestServices } from '@understudy/testing';

const MAIN = join(import.meta.dirname, '../../../dist/main.js');

export interface ServerProcess {
  readonly url: string;
  /** Of the second listener. */
  readonly opsUrl: string;
  readonly child: ChildProcess;
  /** All it has written. */
  output(): string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. @returns its exit code */
  stop(): Promise<number | null>;
}

/** What a server needs to know to run on a test's services. */
export function serverEnvironment(services: TestServices, databaseUrl: string): Record<string, string> {
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
  };
}

const STARTS = 5;

/** The built server as a process of its own, ready to answer. Another process may be quicker to take the port that was free. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  if (!existsSync(MAIN)) throw new Error('build first: npx tsc -b apps/control-plane');
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
  const child = spawn(process.execPath, [MAIN], { env: { ...env, ...ports } });
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
    if (child.exitCode !== null) throw new Error(`ended: ${output}`);
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
