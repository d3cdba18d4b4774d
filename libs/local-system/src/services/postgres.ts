import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { identifyProcess, type ProcessIdentity } from '../processes/process-identity.js';
import { startProcess } from '../processes/start-process.js';
import { stopProcess } from '../processes/stop-process.js';
import { findSystemUser, isRoot, type SystemUser } from '../processes/system-user.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import { binaryEnvironment } from '../binaries/service-binaries.js';
import { LocalSystemError } from '../local-system-error.js';
import { onFreePort } from './on-free-port.js';
import { makeDataFolder, type DataFolderOptions } from './postgres-data-folder.js';
import { probePostgres } from './probes.js';
import type { RunningService, ServiceSettings } from './running-service.js';

export interface PostgresOptions extends ServiceSettings, DataFolderOptions {
  /** Settings of postgresql.conf that replace the private server's own ones. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/**
 * Starts a private PostgreSQL. Creates its data folder first if it does not exist. As root, runs PostgreSQL
 * as the user `postgres`.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningService> {
  const user = postgresUser();
  await makeDataFolder(options, user);
  await clearStaleLock(options.dataFolder);
  const attempt = (port: number) => launch(options, user, port);
  for (let retries = 20; ; retries--) {
    try {
      return await onFreePort(options.preferredPort, attempt);
    } catch (error) {
      // Backends of a server that was killed keep its shared memory until they notice, which takes a moment.
      const waits =
        error instanceof LocalSystemError && error.message.includes('pre-existing shared memory block');
      if (!waits || retries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** @param kind `fast` ends sessions and writes a checkpoint; `immediate` leaves recovery to the next start */
export function stopPostgres(
  identity: ProcessIdentity | null,
  kind: 'fast' | 'immediate' = 'fast',
): Promise<void> {
  return stopProcess(identity, { signal: kind === 'fast' ? 'SIGINT' : 'SIGQUIT', graceMs: 60_000 });
}

/**
 * @returns the user that must run PostgreSQL if this process is root, because PostgreSQL refuses to run as
 *   root; undefined for the current user
 */
export function postgresUser(): SystemUser | undefined {
  if (!isRoot()) return undefined;
  const user = findSystemUser('postgres');
  if (user) return user;
  throw new LocalSystemError(
    'configuration.invalid',
    'PostgreSQL refuses to run as root, and this machine has no user "postgres"',
    'run this as an ordinary user, or: useradd --system --shell /usr/sbin/nologin postgres',
  );
}

async function launch(
  { binaries, dataFolder, logFile, password, durable, settings: others, signal, onSpawn }: PostgresOptions,
  user: SystemUser | undefined,
  port: number,
): Promise<RunningService> {
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}`;
  const settings = Object.entries({ ...serverSettings(port, durable), ...others }).flatMap(
    ([name, value]) => ['-c', `${name}=${value}`],
  );
  const identity = await startProcess(
    {
      name: 'postgres',
      command: join(binaries.binFolder, 'postgres'),
      args: ['-D', dataFolder, ...settings],
      env: binaryEnvironment(binaries),
      cwd: dataFolder,
      logFile,
      ...(user && { user }),
      ...(signal && { signal }),
      ...(onSpawn && { onSpawn }),
    },
    (exited) => waitUntilReady(() => probePostgres(`${url}/postgres`), { exited, timeoutMs: 120_000 }),
  );
  return { process: identity, port, url };
}

function serverSettings(port: number, durable: boolean): Record<string, string | number> {
  const bufferMegabytes = Math.min(256, Math.max(32, Math.floor(totalmem() / 2 ** 20 / 16)));
  return {
    listen_addresses: '127.0.0.1',
    port,
    // The path of a socket has at most 107 bytes, and the path of a checkout may be longer, so only TCP is
    // used.
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: `${bufferMegabytes}MB`,
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    log_line_prefix: '%m [%p] %q%u@%d ',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
}

/**
 * Removes the postmaster.pid of an earlier server. If that server still runs, although the recorded state of
 * the stack does not contain it, this function stops it first. PostgreSQL itself ignores the file of a killed
 * server, unless another process of the same user now has the process id in the file.
 */
async function clearStaleLock(dataFolder: string): Promise<void> {
  const lock = join(dataFolder, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  const holder = identifyProcess(pid);
  if (holder && commandOf(pid).includes(dataFolder)) await stopPostgres(holder);
  rmSync(lock, { force: true });
}

function commandOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return ''; // the process has just ended
  }
}
