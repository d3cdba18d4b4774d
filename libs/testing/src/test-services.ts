import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateNatsSeeds } from '@understudy/agent-protocol/nats-trust';
import {
  cleanUpOnExit,
  postgresUser,
  reachableFolder,
  startNats,
  startPostgres,
  startRedis,
  stopProcess,
  type PostgresBinaries,
  type RunningService,
  findBinaries,
  postgresNamedBy,
} from '@understudy/local-system';
import { childrenOf, killAll } from './child-processes.js';
import { ensureBinaries } from './provision/ensure-binaries.js';
import { postgresTemplate } from './postgres-template.js';
import { perWorker } from './shared/per-worker.js';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TestServices {
  /** A superuser URL without a database name. A URL is empty if its service was not requested. */
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly natsUrl: string;
  readonly natsSeeds: { operator: string; account: string; agentAccount: string; systemAccount: string };
  /** The folder of the services' files. */
  readonly folder: string;
  readonly pids: { readonly postgres?: number; readonly redis?: number; readonly nats?: number };
  /** The folder that contains psql, pg_dump and related programs. */
  readonly postgresBinFolder: string;
  /** Kills PostgreSQL's main process with SIGKILL, and starts the server again with the same data and port. */
  crashPostgres(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts private services on free ports, with their files in a temporary folder. By default, these are
 * PostgreSQL, Redis and NATS. `which` can select some of them, and the binaries of another PostgreSQL
 * version. Nothing is synced to disk. Call this in `beforeAll` and `stop()` in `afterAll`. If the test
 * process ends first, the services end with it.
 */
export async function startTestServices(
  which: {
    postgres?: boolean | PostgresBinaries;
    /** Settings of postgresql.conf, such as a small `max_connections`. */
    postgresSettings?: Readonly<Record<string, string | number>>;
    redis?: boolean;
    nats?: boolean;
  } = {
    postgres: true,
    redis: true,
    nats: true,
  },
): Promise<TestServices> {
  // Finding the programs starts each of them once.
  const binaries = await perWorker('programs', async () => ({
    ...(await ensureBinaries()),
    stop: async () => {},
  }));
  const postgresBinaries = typeof which.postgres === 'object' ? which.postgres : binaries.postgres;
  const parent = process.env['UNDERSTUDY_TEST_SHARED'] ?? tmpdir();
  const folder = mkdtempSync(join(parent, 'understudy-test-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as another user when the tests run as root
  const natsSeeds = generateNatsSeeds();
  const password = randomBytes(12).toString('hex');
  const place = (name: string) => ({ dataFolder: join(folder, name), logFile: join(folder, `${name}.log`) });
  const postgresFolder = reachableFolder(join(folder, 'postgres'), postgresUser());
  const folders = [folder, ...(postgresFolder.startsWith(folder) ? [] : [postgresFolder])];

  const template = which.postgres ? await postgresTemplate(postgresBinaries) : undefined;

  const postgresOptions = {
    ...place('postgres'),
    dataFolder: join(postgresFolder, 'data'),
    binaries: postgresBinaries,
    password,
    durable: false,
    settings: which.postgresSettings ?? {},
    ...template,
  };
  const starts = await Promise.allSettled([
    which.postgres ? startPostgres(postgresOptions) : undefined,
    which.redis
      ? startRedis({ ...place('redis'), binary: binaries.redis, password, durable: false })
      : undefined,
    which.nats ? startNats({ ...place('nats'), binary: binaries.nats, seeds: natsSeeds }) : undefined,
  ]);
  const running = starts.map((start) => (start.status === 'fulfilled' ? start.value : undefined));
  const pids = running.flatMap((service) => (service ? [service.process.pid] : []));
  let callOff = cleanUpOnExit(pids, folders);
  const stop = async () => {
    await Promise.all(running.map(stopNow));
    for (const path of folders) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    callOff();
  };
  for (const start of starts)
    if (start.status === 'rejected') {
      await stop();
      throw start.reason;
    }
  const [postgres, redis, nats] = running;
  const crashPostgres = async () => {
    // A child that still runs keeps the shared memory, and the server would not start again.
    const children = childrenOf(running[0]?.process.pid ?? 0);
    await stopProcess(running[0]?.process, { signal: 'SIGKILL', graceMs: 3_000 });
    killAll(children);
    const preferredPort = Number(new URL(postgres?.url ?? '').port);
    running[0] = await startPostgres({ ...postgresOptions, preferredPort });
    callOff();
    callOff = cleanUpOnExit(
      running.flatMap((service) => (service ? [service.process.pid] : [])),
      folders,
    );
    if (running[0].url !== postgres?.url) throw new Error('another process took the port of PostgreSQL');
  };
  return {
    postgresUrl: postgres?.url ?? '',
    redisUrl: redis?.url ?? '',
    natsUrl: nats?.url ?? '',
    natsSeeds,
    folder,
    pids: {
      ...(postgres && { postgres: postgres.process.pid }),
      ...(redis && { redis: redis.process.pid }),
      ...(nats && { nats: nats.process.pid }),
    },
    postgresBinFolder: postgresBinaries.binFolder,
    crashPostgres,
    stop,
  };
}

/**
 * Stops a service with SIGQUIT. PostgreSQL, Redis and NATS then end faster than in a regular shutdown,
 * because they do not save their data. The data are not needed, because the folder of the services is
 * deleted.
 */
function stopNow(service: RunningService | undefined): Promise<void> {
  return stopProcess(service?.process, { signal: 'SIGQUIT', graceMs: 3_000 });
}

/**
 * The environment variable with the folder of the PostgreSQL binaries for target databases, in the format of
 * UNDERSTUDY_STACK_PG_BIN_DIR. Set it only if the targets are on another server than the sources.
 */
const TARGET = 'UNDERSTUDY_TEST_TARGET_PG_BIN_DIR';

/**
 * Returns the binaries of the server for targets, or undefined if targets and sources are on the same server.
 */
export function targetPostgres(): PostgresBinaries | undefined {
  return postgresNamedBy(TARGET);
}

/**
 * Returns the major versions of PostgreSQL that the tests use for sources and targets. A version is 0 if its
 * PostgreSQL is not installed yet. The call starts no server, so tests can use it to decide whether to skip.
 */
export function postgresVersions(): { readonly source: number; readonly target: number } {
  const source = findBinaries().postgres?.majorVersion ?? 0;
  return { source, target: targetPostgres()?.majorVersion ?? source };
}

const POLL_MS = 50;

/**
 * Calls `probe` repeatedly until it returns a truthy value. Use this for conditions that trigger no event. An
 * error of `probe` ends the wait.
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  timeoutMs = 100_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (performance.now() >= deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await sleep(POLL_MS);
  }
}
