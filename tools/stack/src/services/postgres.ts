import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { identifyProcess, type ProcessIdentity } from '../processes/process-identity.js';
import { startProcess } from '../processes/start-process.js';
import { stopProcess } from '../processes/stop-process.js';
import { findSystemUser, isRoot, type SystemUser } from '../processes/system-user.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import { binaryEnvironment, type PostgresBinaries } from '../provision/service-binaries.js';
import { StackError } from '../stack-error.js';
import { onFreePort } from './on-free-port.js';
import { probePostgres } from './probe-postgres.js';
import type { RunningService, ServicePlace } from './running-service.js';

const run = promisify(execFile);

export interface PostgresOptions extends ServicePlace {
  readonly binaries: PostgresBinaries;
  /** Of the superuser `postgres`; set when the data folder is made, and must stay the same. */
  readonly password: string;
  /** false: nothing is synced to disk. For tests only. */
  readonly durable: boolean;
}

/** Starts a private PostgreSQL, making its data folder first where there is none. Root hands it to the user `postgres`. */
export async function startPostgres(options: PostgresOptions): Promise<RunningService> {
  const user = postgresUser();
  await initialise(options, user);
  await clearStaleLock(options.dataFolder);
  const attempt = (port: number) => launch(options, user, port);
  for (let retries = 20; ; retries--) {
    try {
      return await onFreePort(options.preferredPort, attempt);
    } catch (error) {
      // Backends of a server that was killed need a moment to notice, and hold its shared memory until then.
      const waits = error instanceof StackError && error.message.includes('pre-existing shared memory block');
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

/** @returns whom PostgreSQL must run as, because it refuses root; undefined: as the caller */
export function postgresUser(): SystemUser | undefined {
  if (!isRoot()) return undefined;
  const user = findSystemUser('postgres');
  if (user) return user;
  throw new StackError(
    'configuration.invalid',
    'PostgreSQL refuses to run as root, and this machine has no user "postgres" to run it as',
    'run this as an ordinary user, or: useradd --system --shell /usr/sbin/nologin postgres',
  );
}

async function launch(
  { binaries, dataFolder, logFile, password, durable, signal }: PostgresOptions,
  user: SystemUser | undefined,
  port: number,
): Promise<RunningService> {
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}`;
  const settings = Object.entries(serverSettings(port, durable)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
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
    // The path of a socket may have 107 bytes, a checkout's path more: TCP only.
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: `${bufferMegabytes}MB`,
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    log_line_prefix: '%m [%p] %q%u@%d ',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
}

async function initialise(options: PostgresOptions, user: SystemUser | undefined): Promise<void> {
  const { dataFolder, binaries, password, durable } = options;
  if (existsSync(join(dataFolder, 'PG_VERSION')) && existsSync(finishedMark(dataFolder)))
    return refuseOtherMajor(options);
  rmSync(dataFolder, { recursive: true, force: true }); // the remains of an initdb that was interrupted
  const parent = dirname(dataFolder);
  mkdirSync(parent, { recursive: true });
  if (user) chmodSync(parent, 0o711); // a strict umask must not shut PostgreSQL out
  mkdirSync(dataFolder, { mode: 0o700 });
  const passwordFile = join(parent, '.postgres-password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [dataFolder, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    await run(
      join(binaries.binFolder, 'initdb'),
      [
        ...['--pgdata', dataFolder, '--username', 'postgres', '--auth', 'scram-sha-256'],
        ...['--pwfile', passwordFile, '--encoding', 'UTF8', '--no-instructions'],
        ...['--locale', process.platform === 'linux' ? 'C.UTF-8' : 'C'],
        ...(durable ? [] : ['--no-sync']),
      ],
      {
        env: { ...binaryEnvironment(binaries), TZ: 'UTC' },
        cwd: dataFolder,
        ...(user && { uid: user.uid, gid: user.gid }),
      },
    );
    writeFileSync(finishedMark(dataFolder), '');
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim() || String(cause);
    throw new StackError('service.not_ready', `initdb failed in ${dataFolder}:\n${said}`, undefined, {
      cause,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** initdb is not atomic: a folder without this file was not finished. */
function finishedMark(dataFolder: string): string {
  return join(dirname(dataFolder), '.postgres-initialised');
}

function refuseOtherMajor({ dataFolder, binaries }: PostgresOptions): void {
  const made = Number(readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8'));
  if (made === binaries.majorVersion) return;
  throw new StackError(
    'configuration.invalid',
    `${dataFolder} was made by PostgreSQL ${made}, but the one found is ${binaries.majorVersion} (${binaries.binFolder})`,
    `install PostgreSQL ${made}, or use another --data-dir`,
  );
}

/**
 * After kill -9 postmaster.pid stays behind. PostgreSQL copes, unless its number has gone to another process of the
 * same user; and a server that outlived our record of it must end before a new one may start.
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
    return ''; // it has just ended
  }
}
