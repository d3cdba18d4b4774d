import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  dashboardLink,
  endedProcess,
  interruptible,
  LOCAL_WEBHOOKS,
  LocalSystemError,
  logTail,
  startSystem,
  stopSystem,
  withSystemLock,
  type SystemInfo,
} from '@understudy/local-system';

import { CONTROL_PLANE, findAgent, findServices, requireAgent } from './find-programs.js';
import { developmentText, type Development } from './development.js';
import { offerSample, SAMPLE } from './sample.js';

export interface DevRequest {
  /** Absolute path. */
  readonly folder: string;
  /** The start fails if this port is in use. If absent, another free port is used. */
  readonly port?: number;
  /** Creates the databases of the sample, and offers them. */
  readonly sample?: true;
  /** Allows webhooks to reach receivers on this machine. */
  readonly allowLocalWebhooks?: true;
  readonly json?: true;
}

const PREFERRED_PORT = 8080;
const POLL_MS = 500;
/** Longer than the 10 s after which the lock of a killed command expires. */
const LOCK_WAIT_SECONDS = 15;

/**
 * Starts a complete system and runs it until this process receives SIGINT, SIGTERM or SIGHUP. Processes that a killed
 * command left in the folder become part of the system again.
 * @throws LocalSystemError if something cannot start, or ends
 */
export async function runDev(request: DevRequest): Promise<void> {
  const { folder } = request;
  await interruptible((signal) =>
    withSystemLock(folder, { log, waitSeconds: LOCK_WAIT_SECONDS }, async () => {
      try {
        const development = await start(request, signal);
        const text = request.json ? JSON.stringify(development) : developmentText(development);
        process.stdout.write(`${text}\n`);
        await untilStopped(folder, signal);
        process.exitCode = 0; // Ctrl-C is the usual end
      } finally {
        await stopSystem(folder);
      }
    }),
  );
}

async function start(request: DevRequest, signal: AbortSignal): Promise<Development> {
  const { folder, port, sample = false, allowLocalWebhooks = false } = request;
  const agent = sample ? requireAgent() : findAgent();
  const system = await startSystem({
    ...{ folder, findServices, log, signal, preferredPort: PREFERRED_PORT },
    ...(port !== undefined && { port }),
    ...(allowLocalWebhooks && { settings: LOCAL_WEBHOOKS }),
    ...(sample && { offerDatabases: (serverUrl: string) => offerSample(serverUrl, signal, log) }),
    programs: { controlPlane: CONTROL_PLANE, ...(agent && { agent }) },
  });
  const { url, signInUrl } = await dashboardLink(system, CONTROL_PLANE);
  return {
    dashboard_url: url,
    sign_in_url: signInUrl,
    api_url: system.base_url,
    api_token_file: secretFile(system, 'api-token', system.api_token),
    databases_url_file: secretFile(system, 'databases-url', system.databases_url),
    databases_admin_url_file: secretFile(system, 'databases-admin-url', system.databases_admin_url),
    has_agent: agent !== undefined,
    sample: sample ? { source: `agent:${SAMPLE.source}`, target: `agent:${SAMPLE.target}` } : null,
    folder,
    logs_folder: system.logs_dir,
    pids: system.pids,
  };
}

/** Writes a secret for use by other commands, so that it is not in their arguments. @returns the path */
function secretFile({ data_dir: folder }: SystemInfo, name: string, secret: string): string {
  const file = join(folder, name);
  writeFileSync(file, secret, { mode: 0o600 });
  return file;
}

/** @throws LocalSystemError if a process ends before the signal is aborted */
async function untilStopped(folder: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ended = endedProcess(folder);
    if (ended !== undefined) {
      const file = join(folder, 'logs', `${ended}.log`);
      const tail = logTail(file, 15);
      throw new LocalSystemError(
        'service.not_ready',
        `${ended} has ended. The end of its log:\n${tail}`,
        `read ${file}`,
      );
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined); // aborted
  }
}

/** Writes to stderr, because stdout belongs to the result. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
