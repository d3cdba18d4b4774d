import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LocalSystemError } from '../local-system-error.js';
import { freePort } from '../processes/free-port.js';
import { isRunning } from '../processes/process-identity.js';
import { isRoot } from '../processes/system-user.js';
import { KeptProcesses } from './kept-processes.js';
import { cleanEnvironment } from './programs.js';
import { ProgramStart } from './start-programs.js';
import { startServices } from './start-services.js';
import { stopAll } from './stop-system.js';
import type { SystemInfo } from './system-info.js';
import type { SystemOptions } from './system-options.js';
import { newState, readState, type SystemState } from './system-state.js';

const OPS_USER = 'ops';

/**
 * Starts all parts of the system that do not run yet, and waits until every part responds. If a part fails to
 * start, everything that this call started is stopped again. The caller holds the lock of the folder.
 * @throws LocalSystemError
 */
export async function startSystem(options: SystemOptions): Promise<SystemInfo> {
  const { folder } = options;
  openFolder(folder);
  const state = readState(folder) ?? newState();
  const before = new Set(Object.values(state.processes).flatMap((one) => (isRunning(one) ? [one.pid] : [])));
  try {
    return await startAll(new KeptProcesses(state, options), options);
  } catch (error) {
    await stopAll(folder, state, ({ pid }) => !before.has(pid));
    throw error;
  }
}

/**
 * Creates the subfolders. As root, lets PostgreSQL's user pass through to its data; the other subfolders stay
 * private.
 */
function openFolder(folder: string): void {
  for (const name of ['logs', 'redis', 'nats', 'agent'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const { mode, uid } = statSync(folder);
  if (isRoot() && uid === 0) chmodSync(folder, mode | 0o011);
}

/** Runs the steps in order. A step does not restart a process that responds and has the same settings as before. */
async function startAll(processes: KeptProcesses, options: SystemOptions): Promise<SystemInfo> {
  const { folder, programs } = options;
  const { state } = processes;
  processes.save();
  await assertFree(options.port, state);
  const services = await startServices(processes, options);
  const offered = (await options.offerDatabases?.(services.databasesUrl)) ?? {};
  const settings = {
    ...cleanEnvironment(),
    ...options.settings,
    ...services.variables,
    UNDERSTUDY_ALLOW_PLAINTEXT: process.env['UNDERSTUDY_ALLOW_PLAINTEXT'],
    UNDERSTUDY_HOST: '127.0.0.1',
    UNDERSTUDY_OPS_HOST: '127.0.0.1',
    UNDERSTUDY_OPS_USER: OPS_USER,
    UNDERSTUDY_OPS_PASSWORD: state.secrets.opsPassword,
    UNDERSTUDY_LOG_LEVEL: process.env['UNDERSTUDY_LOG_LEVEL'] || 'info',
  };
  const start = new ProgramStart(processes, settings, options);
  const organization = await start.bootstrap();
  const origin = await start.controlPlane(organization);
  if (programs.agent) await start.agent(programs.agent, origin, organization, services, offered);
  processes.save();

  return {
    base_url: `${origin}/v1`,
    mock_url: `${origin}/mock`,
    ops_url: `http://127.0.0.1:${state.ports.ops}/ops`,
    ops_user: OPS_USER,
    ops_password: state.secrets.opsPassword,
    api_token: organization.apiToken,
    org_id: organization.id,
    control_db_url: services.controlDatabaseUrl,
    databases_url: services.databasesUrl,
    databases_admin_url: services.databasesAdminUrl,
    redis_url: services.redisUrl,
    nats_url: services.natsUrl,
    data_dir: folder,
    logs_dir: join(folder, 'logs'),
    pids: {
      postgres: processes.pid('postgres'),
      redis: processes.pid('redis'),
      nats: processes.pid('nats'),
      control_plane: processes.pid('control-plane'),
      agents: [programs.agent && processes.pid('agent')].flatMap((pid) => pid ?? []),
    },
  };
}

/** @throws LocalSystemError if another process than the control plane of this system listens on the port */
async function assertFree(port: number | undefined, { processes, ports }: SystemState): Promise<void> {
  const isOurs = isRunning(processes['control-plane']) && ports.controlPlane === port;
  if (port === undefined || isOurs || (await freePort(port)) === port) return;
  throw new LocalSystemError(
    'configuration.invalid',
    `expected a free port, but another process listens on 127.0.0.1:${port}`,
    'choose another port',
  );
}
