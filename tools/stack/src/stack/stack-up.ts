import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../processes/process-identity.js';
import { startProcess } from '../processes/start-process.js';
import { stopProcess } from '../processes/stop-process.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import { isRoot } from '../processes/system-user.js';
import { ensureBinaries } from '../provision/ensure-binaries.js';
import { binaryEnvironment, type ServiceBinaries } from '../provision/service-binaries.js';
import { startNats } from '../services/nats.js';
import { onFreePort } from '../services/on-free-port.js';
import { postgresUser, startPostgres } from '../services/postgres.js';
import { probeNats, probePostgres, probeRedis } from '../services/probes.js';
import { reachableFolder } from '../services/reachable-folder.js';
import { startRedis } from '../services/redis.js';
import type { RunningService } from '../services/running-service.js';
import { StackError } from '../stack-error.js';
import { agentPolicy } from './agent-policy.js';
import { makeControlDatabase } from './control-database.js';
import {
  cleanEnvironment,
  controlPlaneCommand,
  programFile,
  type Environment,
} from './control-plane-program.js';
import { externalServices, type ExternalServices } from './external-services.js';
import { probeAgent, probeControlPlane } from './probe-programs.js';
import type { StackInfo } from './stack-info.js';
import { withStackLock } from './stack-lock.js';
import { CHECKOUT, stackFolder, type StackOptions } from './stack-options.js';
import { newState, readState, writeState, type ProcessName, type StackState } from './stack-state.js';
import { stopAll } from './stack-down.js';

const OPS_USER = 'ops';
/** A process that does not respond for this long is restarted. */
const RESPONSE_TIMEOUT_MS = 60_000;

/**
 * Starts all parts of the stack that do not run yet, and waits until every part responds. If a part fails to
 * start, everything that this call started is stopped again.
 * @throws StackError
 */
export async function stackUp(options: StackOptions = {}): Promise<StackInfo> {
  const folder = stackFolder(options);
  const log = options.log ?? (() => undefined);
  return withStackLock(folder, log, async () => {
    openFolder(folder);
    const state = readState(folder) ?? newState();
    const before = new Set(
      Object.values(state.processes).flatMap((one) => (isRunning(one) ? [one.pid] : [])),
    );
    const start = new StackStart(folder, state, log, options);
    try {
      return await start.run();
    } catch (error) {
      await stopAll(state, ({ pid }) => !before.has(pid));
      writeState(folder, state);
      throw error;
    }
  });
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

/**
 * One run of `up`. It runs the steps in order. A step does not restart a process that responds and has the
 * same settings as before.
 */
class StackStart {
  private isMigrated = false;

  constructor(
    private readonly folder: string,
    private readonly state: StackState,
    private readonly log: (line: string) => void,
    private readonly options: StackOptions,
  ) {}

  async run(): Promise<StackInfo> {
    const external = await externalServices();
    this.save();
    const needed = (['postgres', 'redis', 'nats'] as const).filter((name) => !isExternal(external, name));
    // pg_dump is part of the server's packages. The agent needs it, even if PostgreSQL is an external
    // service.
    const binaries = await ensureBinaries({
      log: this.log,
      services: [...new Set([...needed, 'postgres' as const])],
    });

    const databasesUrl = external.postgres?.databasesUrl ?? (await this.postgres(binaries));
    this.state.databasesUrl = databasesUrl;
    const redisUrl = external.redisUrl ?? (await this.redis(binaries));
    const natsUrl = external.nats?.url ?? (await this.nats(binaries));
    const controlDatabaseUrl =
      external.postgres?.controlDatabaseUrl ??
      (await makeControlDatabase(databasesUrl, this.state.secrets.controlDatabasePassword));

    const seeds = external.nats?.seeds ?? this.state.secrets.nats;
    const settings: Environment = {
      ...cleanEnvironment(),
      ...this.options.settings,
      UNDERSTUDY_DATABASE_URL: controlDatabaseUrl,
      UNDERSTUDY_REDIS_URL: redisUrl,
      UNDERSTUDY_ALLOW_PLAINTEXT: process.env['UNDERSTUDY_ALLOW_PLAINTEXT'],
      UNDERSTUDY_NATS_URL: natsUrl,
      UNDERSTUDY_NATS_OPERATOR_SEED: seeds.operator,
      UNDERSTUDY_NATS_ACCOUNT_SEED: seeds.account,
      UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: seeds.agentAccount,
      UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: seeds.systemAccount,
      UNDERSTUDY_HOST: '127.0.0.1',
      UNDERSTUDY_OPS_HOST: '127.0.0.1',
      UNDERSTUDY_OPS_USER: OPS_USER,
      UNDERSTUDY_OPS_PASSWORD: this.state.secrets.opsPassword,
      UNDERSTUDY_LOG_LEVEL: process.env['UNDERSTUDY_LOG_LEVEL'] || 'info',
    };
    const organization = await this.bootstrap(settings);
    const origin = await this.controlPlane(settings);
    await this.agent(settings, origin, organization, databasesUrl, binaries);
    this.save();

    return {
      base_url: `${origin}/v1`,
      mock_url: `${origin}/mock`,
      ops_url: `http://127.0.0.1:${this.state.ports.ops}/ops`,
      ops_user: OPS_USER,
      ops_password: this.state.secrets.opsPassword,
      api_token: organization.apiToken,
      org_id: organization.id,
      control_db_url: controlDatabaseUrl,
      databases_url: databasesUrl,
      redis_url: redisUrl,
      nats_url: natsUrl,
      data_dir: this.folder,
      logs_dir: join(this.folder, 'logs'),
      pids: {
        postgres: this.pid('postgres'),
        redis: this.pid('redis'),
        nats: this.pid('nats'),
        control_plane: this.pid('control-plane'),
        agents: [this.pid('agent')].flatMap((pid) => pid ?? []),
      },
    };
  }

  private async postgres(binaries: ServiceBinaries): Promise<string> {
    return this.keep(
      'postgres',
      (url) => probePostgres(`${url}/postgres`),
      () => {
        const wanted = join(this.folder, 'postgres');
        const reachable = reachableFolder(wanted, postgresUser());
        if (reachable !== wanted)
          this.log(
            `PostgreSQL runs as another user, who may not enter ${this.folder}; its data is in ${reachable}`,
          );
        return startPostgres({
          ...this.serviceSettings('postgres'),
          dataFolder: join(reachable, 'data'),
          binaries: binaries.postgres,
          password: this.state.secrets.postgresPassword,
          durable: true,
        });
      },
    );
  }

  private redis(binaries: ServiceBinaries): Promise<string> {
    const password = this.state.secrets.redisPassword;
    return this.keep('redis', probeRedis, () =>
      startRedis({ ...this.serviceSettings('redis'), binary: binaries.redis, password, durable: true }),
    );
  }

  private nats(binaries: ServiceBinaries): Promise<string> {
    const seeds = this.state.secrets.nats;
    return this.keep('nats', probeNats, () =>
      startNats({ ...this.serviceSettings('nats'), binary: binaries.nats, seeds }),
    );
  }

  private async bootstrap(settings: Environment): Promise<NonNullable<StackState['organization']>> {
    if (this.state.organization) {
      const { plan } = this.state.organization;
      if (this.options.plan !== undefined && this.options.plan !== plan)
        this.log(`the organisation of this stack keeps its plan ${plan}; --plan applies only to a new stack`);
      return this.state.organization;
    }
    await this.migrate(settings);
    const plan = this.options.plan ?? 'business';
    const args = ['bootstrap', '--org', 'Understudy', '--plan', plan, '--json'];
    const created = JSON.parse(await controlPlaneCommand(args, settings)) as {
      org_id: string;
      api_token: string;
    };
    this.state.organization = { id: created.org_id, apiToken: created.api_token, plan };
    this.save();
    return this.state.organization;
  }

  /** Migrates the schema of the control plane's database, at most once in a run of `up`. */
  private async migrate(settings: Environment): Promise<void> {
    if (this.isMigrated) return;
    await controlPlaneCommand(['migrate'], settings);
    this.isMigrated = true;
  }

  private async controlPlane(settings: Environment): Promise<string> {
    return this.program('control-plane', settings, probeControlPlane, async () => {
      await this.migrate(settings);
      return onFreePort(this.state.ports.controlPlane, (port) =>
        onFreePort(this.state.ports.ops, async (opsPort) => {
          const url = `http://127.0.0.1:${port}`;
          const ports = { UNDERSTUDY_PORT: String(port), UNDERSTUDY_OPS_PORT: String(opsPort) };
          const process = await this.node('control-plane', { ...settings, ...ports }, () =>
            probeControlPlane(url),
          );
          Object.assign(this.state.ports, { controlPlane: port, ops: opsPort });
          return { process, port, url };
        }),
      );
    });
  }

  private async agent(
    settings: Environment,
    origin: string,
    { id, apiToken }: NonNullable<StackState['organization']>,
    databasesUrl: string,
    binaries: ServiceBinaries,
  ): Promise<void> {
    const agentFolder = join(this.folder, 'agent');
    const policy = agentPolicy(databasesUrl);
    const environment: Environment = {
      ...cleanEnvironment(),
      ...(binaries.postgres.libraryPath && binaryEnvironment(binaries.postgres)),
      ...this.options.agentSettings,
      UNDERSTUDY_AGENT_STATE_DIR: join(agentFolder, 'state'),
      UNDERSTUDY_AGENT_POLICY_FILE: join(agentFolder, 'policy.yaml'),
      UNDERSTUDY_AGENT_PG_BIN_DIR: process.env['UNDERSTUDY_AGENT_PG_BIN_DIR'] ?? binaries.postgres.binFolder,
      UNDERSTUDY_CONTROL_URL: `${origin}/v1`,
      UNDERSTUDY_LOG_LEVEL: settings['UNDERSTUDY_LOG_LEVEL'],
    };
    const live = (since?: Date) => probeAgent(`${origin}/v1`, apiToken, since);
    await this.program(
      'agent',
      { ...environment, policy, origin },
      () => live(),
      async () => {
        mkdirSync(agentFolder, { recursive: true });
        writeFileSync(join(agentFolder, 'policy.yaml'), policy, { mode: 0o600 });
        const enrolment = this.state.agentEnrolled
          ? undefined
          : await this.enrolmentToken(settings, id, agentFolder);
        const startedAt = new Date();
        const process = await this.node(
          'agent',
          { ...environment, ...(enrolment && { UNDERSTUDY_AGENT_ENROLMENT_TOKEN: enrolment }) },
          () => live(startedAt),
        );
        this.state.agentEnrolled = true;
        return { process, port: 0, url: origin };
      },
    );
  }

  /**
   * Empties the state folder, because an interrupted enrolment may have left incomplete files in it. Then
   * creates a token for a new enrolment.
   */
  private async enrolmentToken(
    settings: Environment,
    organizationId: string,
    agentFolder: string,
  ): Promise<string> {
    rmSync(join(agentFolder, 'state'), { recursive: true, force: true });
    mkdirSync(join(agentFolder, 'state'), { mode: 0o700 });
    const args = ['agent', 'enrolment-token', '--org', organizationId, '--json'];
    return (JSON.parse(await controlPlaneCommand(args, settings)) as { token: string }).token;
  }

  /** Starts a program of this repository. Restarts it if it runs with other settings. */
  private program(
    name: 'control-plane' | 'agent',
    environment: Environment,
    probe: (url: string) => Promise<void>,
    start: () => Promise<RunningService>,
  ): Promise<string> {
    const ours = Object.entries(environment).filter(([key]) => /^(UNDERSTUDY_|policy$|origin$)/.test(key));
    const startedWith = createHash('sha256').update(JSON.stringify(ours.sort())).digest('hex');
    return this.keep(name, probe, start, startedWith);
  }

  /**
   * Keeps a process that runs, responds and was started with the same settings. Otherwise starts or restarts
   * it.
   */
  private async keep(
    name: ProcessName,
    probe: (url: string) => Promise<void>,
    start: () => Promise<RunningService>,
    startedWith?: string,
  ): Promise<string> {
    const known = this.state.processes[name];
    if (known?.url !== undefined && isRunning(known) && known.startedWith === startedWith) {
      const { url } = known;
      const responds = await waitUntilReady(() => probe(url), { timeoutMs: RESPONSE_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
      if (responds) return url;
    }
    if (isRunning(known)) {
      this.log(`restarting ${name}`);
      await stopProcess(known, { signal: name === 'postgres' ? 'SIGINT' : 'SIGTERM' });
    }
    if (this.options.signal?.aborted) throw new StackError('service.not_ready', 'the start was interrupted');
    const startedAt = performance.now();
    const { process, port, url } = await start();
    this.state.processes[name] = { ...process, url, ...(startedWith && { startedWith }) };
    if (name === 'postgres' || name === 'redis' || name === 'nats') this.state.ports[name] = port;
    this.save();
    this.log(`${name} is up (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
    return url;
  }

  private node(name: 'control-plane' | 'agent', env: Environment, ready: () => Promise<void>) {
    return startProcess(
      {
        name,
        command: process.execPath,
        args: [programFile(name, 'main.js')],
        env,
        cwd: CHECKOUT,
        logFile: join(this.folder, 'logs', `${name}.log`),
        ...(this.options.signal && { signal: this.options.signal }),
      },
      (exited) => waitUntilReady(ready, { exited }),
    );
  }

  private serviceSettings(name: 'postgres' | 'redis' | 'nats') {
    const preferredPort = this.state.ports[name];
    return {
      dataFolder: join(this.folder, name),
      logFile: join(this.folder, 'logs', `${name}.log`),
      ...(preferredPort !== undefined && { preferredPort }),
      ...(this.options.signal && { signal: this.options.signal }),
    };
  }

  private pid(name: ProcessName): number | null {
    return this.state.processes[name]?.pid ?? null;
  }

  private save(): void {
    writeState(this.folder, this.state);
  }
}

function isExternal(external: ExternalServices, name: 'postgres' | 'redis' | 'nats'): boolean {
  return { postgres: external.postgres, redis: external.redisUrl, nats: external.nats }[name] !== undefined;
}
