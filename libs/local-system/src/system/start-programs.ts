import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binaryEnvironment } from '../binaries/service-binaries.js';
import { startProcess } from '../processes/start-process.js';
import { waitUntilReady } from '../processes/wait-until-ready.js';
import { onFreePort } from '../services/on-free-port.js';
import type { RunningService } from '../services/running-service.js';
import type { KeptProcesses } from './kept-processes.js';
import { probeAgent, probeControlPlane } from './probe-programs.js';
import { cleanEnvironment, runCommand, type Environment, type Program } from './programs.js';
import type { Services } from './start-services.js';
import type { OfferedDatabases, SystemOptions } from './system-options.js';
import type { SystemState } from './system-state.js';

type Organization = NonNullable<SystemState['organization']>;

/** Starts the control plane and the agent on running services. */
export class ProgramStart {
  private isMigrated = false;

  /** @param settings the environment of the control plane, except its ports */
  constructor(
    private readonly processes: KeptProcesses,
    private readonly settings: Environment,
    private readonly options: SystemOptions,
  ) {}

  /** Creates the organisation at the first start. */
  async bootstrap(): Promise<Organization> {
    const { state } = this.processes;
    if (state.organization) {
      const { plan } = state.organization;
      if (this.options.plan !== undefined && this.options.plan !== plan)
        this.processes.log(`the organisation keeps its plan ${plan}; --plan applies only to the first start`);
      return state.organization;
    }
    await this.migrate();
    const plan = this.options.plan ?? 'business';
    const created = JSON.parse(
      await this.command('bootstrap', '--org', 'Understudy', '--plan', plan, '--json'),
    ) as { org_id: string; api_token: string };
    state.organization = { id: created.org_id, apiToken: created.api_token, plan };
    this.processes.save();
    return state.organization;
  }

  /** @returns the origin of the control plane */
  async controlPlane({ apiToken }: Organization): Promise<string> {
    const { ports } = this.processes.state;
    const { port: required, preferredPort } = this.options;
    const onPort = (start: (port: number) => Promise<RunningService>) =>
      required === undefined ? onFreePort(ports.controlPlane ?? preferredPort, start) : start(required);
    const probe = (origin: string) => probeControlPlane(origin, apiToken);
    return this.program(
      'control-plane',
      { ...this.settings, port: required?.toString() },
      probe,
      async () => {
        await this.migrate();
        return onPort((port) =>
          onFreePort(ports.ops, async (opsPort) => {
            const url = `http://127.0.0.1:${port}`;
            const own = { UNDERSTUDY_PORT: String(port), UNDERSTUDY_OPS_PORT: String(opsPort) };
            const process = await this.run(
              'control-plane',
              this.options.programs.controlPlane,
              { ...this.settings, ...own },
              () => probe(url),
            );
            Object.assign(ports, { controlPlane: port, ops: opsPort });
            return { process, port, url };
          }),
        );
      },
    );
  }

  async agent(
    program: Program,
    origin: string,
    { id, apiToken }: Organization,
    services: Services,
    offered: OfferedDatabases,
  ): Promise<void> {
    const { databasesUrl, binaries } = services;
    const agentFolder = join(this.options.folder, 'agent');
    const stateFolder = join(agentFolder, 'state');
    const policy = agentPolicy(databasesUrl, offered);
    const environment: Environment = {
      ...cleanEnvironment(),
      ...(binaries.postgres.libraryPath && binaryEnvironment(binaries.postgres)),
      ...this.options.agentSettings,
      UNDERSTUDY_AGENT_STATE_DIR: stateFolder,
      UNDERSTUDY_AGENT_POLICY_FILE: join(agentFolder, 'policy.yaml'),
      UNDERSTUDY_AGENT_PG_BIN_DIR: process.env['UNDERSTUDY_AGENT_PG_BIN_DIR'] ?? binaries.postgres.binFolder,
      UNDERSTUDY_CONTROL_URL: `${origin}/v1`,
      UNDERSTUDY_LOG_LEVEL: this.settings['UNDERSTUDY_LOG_LEVEL'],
    };
    const live = (since?: Date) => probeAgent(`${origin}/v1`, apiToken, since);
    await this.program(
      'agent',
      { ...environment, policy, origin },
      () => live(),
      async () => {
        mkdirSync(agentFolder, { recursive: true });
        writeFileSync(join(agentFolder, 'policy.yaml'), policy, { mode: 0o600 });
        const enrolment = isEnrolled(stateFolder) ? undefined : await this.enrolmentToken(id, stateFolder);
        const startedAt = new Date();
        const process = await this.run(
          'agent',
          program,
          { ...environment, ...(enrolment && { UNDERSTUDY_AGENT_ENROLMENT_TOKEN: enrolment }) },
          () => live(startedAt),
        );
        return { process, port: 0, url: origin };
      },
    );
  }

  /** Migrates the schema of the control plane's database, at most once in a start. */
  private async migrate(): Promise<void> {
    if (this.isMigrated) return;
    await this.command('migrate');
    this.isMigrated = true;
  }

  /**
   * Empties the state folder, because an interrupted enrolment may have left keys in it. Then creates a token for a new
   * enrolment.
   */
  private async enrolmentToken(organizationId: string, stateFolder: string): Promise<string> {
    rmSync(stateFolder, { recursive: true, force: true });
    mkdirSync(stateFolder, { mode: 0o700 });
    const printed = await this.command('agent', 'enrolment-token', '--org', organizationId, '--json');
    return (JSON.parse(printed) as { token: string }).token;
  }

  private command(...words: string[]): Promise<string> {
    return runCommand(this.options.programs.controlPlane, words, this.settings);
  }

  /** Keeps a program. Restarts it if it runs with other settings. */
  private program(
    name: 'control-plane' | 'agent',
    environment: Environment,
    probe: (url: string) => Promise<void>,
    start: () => Promise<RunningService>,
  ): Promise<string> {
    const ours = Object.entries(environment).filter(([key]) =>
      /^(UNDERSTUDY_|policy$|origin$|port$)/.test(key),
    );
    const startedWith = createHash('sha256').update(JSON.stringify(ours.sort())).digest('hex');
    return this.processes.keep(name, probe, start, startedWith);
  }

  private run(
    name: 'control-plane' | 'agent',
    { command, args }: Program,
    env: Environment,
    ready: () => Promise<void>,
  ) {
    return startProcess(
      {
        ...{ name, command, args: [...args, 'start'], env, cwd: this.options.folder },
        ...this.processes.processSettings(name),
      },
      (exited) => waitUntilReady(ready, { exited }),
    );
  }
}

/** @returns whether an agent with this state folder can start without a token; true if its identity is unreadable */
function isEnrolled(stateFolder: string): boolean {
  const file = join(stateFolder, 'identity.json');
  if (!existsSync(file)) return false;
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { agent_id?: string }).agent_id !== undefined;
  } catch {
    return true; // the agent names the damaged file; its masking key must not be deleted
  }
}

/**
 * Builds the policy of the system's agent. It offers the given databases by name. It also allows every database of
 * the system's server and of every server on this machine, as source and as target. A developer can therefore use
 * their own databases.
 */
function agentPolicy(databasesUrl: string, databases: OfferedDatabases): string {
  const url = new URL(databasesUrl);
  const isLocal = ['127.0.0.1', 'localhost'].includes(url.hostname);
  const hosts = isLocal ? ['127.0.0.1', 'localhost'] : [url.hostname];
  const port = isLocal ? '*' : Number(url.port || 5432);
  const roles = ['source', 'target', 'snapshot', 'restore'];
  const policy = {
    databases,
    urls: hosts.map((host) => ({ host, port, databases: ['*'], roles })),
    allow_where: true,
    // A job that replaces a database creates all functions of its source.
    ...(Object.values(databases).some((one) => one.roles.includes('replace')) && { allow_source_code: true }),
  };
  return `# Each start overwrites this file. JSON is also YAML.\n${JSON.stringify(policy, null, 2)}\n`;
}
