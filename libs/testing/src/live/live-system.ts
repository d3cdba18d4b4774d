import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { cleanEnvironment, cleanUpOnExit, freePort, onFreePort, withClient } from '@understudy/local-system';

import { asLeastPrivileged, asReplacer, createOwnedDatabase } from '../least-privilege.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { startTestServices, type TestServices } from '../test-services.js';
import { SHOP, STAGING, type LiveDatabases } from './live-databases.js';
import { BUILT_PROGRAMS, Program, type Environment, type ProgramFiles } from './program.js';

const run = promisify(execFile);

/** An organisation with databases of its own, so that results can be compared. */
export interface LiveOrganization {
  readonly id: string;
  /** The token of an owner. */
  readonly token: string;
  readonly databases: LiveDatabases;
  readonly agent: Program | undefined;
}

export interface LiveSystemOptions {
  /** False if the organisations need no agent, which saves time. Default: true. */
  readonly agents?: boolean;
  /** True if jobs may replace `agent:staging`, which agents of earlier versions refuse to offer. Default: false. */
  readonly staging?: boolean;
  /** Further settings of the control plane. */
  readonly environment?: Environment;
  /** Default: the built programs of this repository. */
  readonly programs?: ProgramFiles;
  /** The programs of the agents. Default: `programs`. */
  readonly agentPrograms?: ProgramFiles;
}

interface AgentContact {
  readonly status: string;
  readonly last_seen_at: string | null;
}

/** The role that owns the tables of the source. */
const SHOP_OWNER = 'live_shop_owner';

/** All agents have the same key, so that the copies of all organisations are equal. */
const MASKING_KEY = '5'.repeat(64);

/** High enough for all requests of the tests, so that no request has to wait. */
const LIMITS = { business: { requests_per_minute: 1_000_000, burst: 1_000_000, sync_jobs: 1_000_000 } };

/** The tables of the control plane that contain rows of organisations. Their organisations come first. */
const TABLES = `
  SELECT quote_ident(tablename) AS name FROM pg_tables
  WHERE schemaname = 'public' AND tablename <> 'schema_migrations'
  ORDER BY tablename <> 'organizations'`;

/** The control plane as a process, its services, and an organisation with an agent for each name. */
export class LiveSystem {
  private readonly organizations = new Map<string, LiveOrganization>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'understudy-clients-'));
  /** Cancels the deletion of the folder at the end of the test process. */
  private readonly callOff = cleanUpOnExit([], [this.folder]);
  private controlPlane: Program | undefined;
  private readonly replicas: Program[] = [];
  private port = 0;

  private constructor(
    private readonly services: TestServices,
    private readonly control: TestDatabase,
    /** The source that all organisations use. */
    readonly shop: TestDatabase,
    /** URL of the source with the role of all agents. */
    private readonly shopUrl: string,
    /** The environment of the control plane's commands. */
    private readonly environment: Environment,
    private programs: ProgramFiles,
    private readonly agents: { readonly programs: ProgramFiles; readonly haveStaging: boolean },
  ) {}

  /** Starts everything, an organisation for each name included, and waits until all agents are live. */
  static async start(
    names: readonly string[],
    {
      agents = true,
      staging = false,
      environment: settings = {},
      programs = BUILT_PROGRAMS,
      agentPrograms = programs,
    }: LiveSystemOptions = {},
  ): Promise<LiveSystem> {
    const services = await startTestServices();
    const control = await createTestDatabase(services.postgresUrl);
    const environment = { ...environmentOf(services, control), ...settings };
    const shop = await createOwnedDatabase(services.postgresUrl, SHOP_OWNER, SHOP);
    const shopUrl = await asReader(shop);
    const forAgents = { programs: agentPrograms, haveStaging: staging };
    const system = new LiveSystem(services, control, shop, shopUrl, environment, programs, forAgents);
    try {
      await system.command('migrate');
      [system.controlPlane, system.port] = await system.startControlPlane();
      await system.addOrganizations(names, agents);
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  /** The URL of the control plane. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The URL of the API, which ends in /v1. */
  get baseUrl(): string {
    return apiUrl(this.port);
  }

  of(name: string): LiveOrganization {
    const found = this.organizations.get(name);
    if (found === undefined) throw new Error(`expected an organisation for ${name}`);
    return found;
  }

  /** Adds organisations, and waits until their agents are live. */
  async addOrganizations(names: readonly string[], withAgents: boolean): Promise<void> {
    await Promise.all(names.map((name) => this.addOrganization(name, withAgents)));
  }

  /** Removes all organisations with all that belongs to them, so that other suites can use the control plane. */
  async removeOrganizations(): Promise<void> {
    await this.killAgents();
    for (const { databases } of this.organizations.values()) await databases.copy.drop();
    this.organizations.clear();
    await withClient(this.control.url, async (client) => {
      // Without triggers, the rows can be deleted in any order, and the audit log, too.
      await client.query('SET session_replication_role = replica');
      const { rows } = await client.query<{ name: string }>(TABLES);
      for (const { name } of rows) await client.query(`DELETE FROM ${name}`);
    });
  }

  /**
   * Migrates the database with other programs, and starts their control plane as a second replica. From now on, the
   * commands are those of these programs.
   * @returns the URL of the API of the replica
   */
  async addReplica(programs: ProgramFiles): Promise<string> {
    this.programs = programs;
    await this.command('migrate');
    const [replica, port] = await this.startControlPlane();
    this.replicas.push(replica);
    return apiUrl(port);
  }

  /** Replaces the first control plane by that of other programs, with the same port. */
  async replaceControlPlane(programs: ProgramFiles): Promise<void> {
    this.controlPlane = await this.controlPlane?.replace(programs);
  }

  /** Replaces the agent of an organisation by that of other programs, with the same files. */
  async replaceAgent(name: string, programs: ProgramFiles): Promise<void> {
    const organization = this.of(name);
    const agent = await organization.agent?.replace(programs);
    this.organizations.set(name, { ...organization, agent });
  }

  isRunning(): boolean {
    return this.controlPlane?.isRunning === true;
  }

  /** Gives the agents' role its privileges on the source again, after somebody has replaced the tables. */
  async grantShop(): Promise<void> {
    await asReader(this.shop);
  }

  /** Creates a link that signs a member in once, as the operator does. */
  async createSignInLink(member: string): Promise<{ readonly url: string }> {
    const output = await this.command('sign-in-link', '--member', member, '--json');
    return JSON.parse(output) as { url: string };
  }

  /** Kills all agents. Their leases stay. */
  async killAgents(): Promise<void> {
    await Promise.all([...this.organizations.values()].map(({ agent }) => agent?.kill()));
  }

  async stop(): Promise<void> {
    await this.killAgents();
    await Promise.all([this.controlPlane, ...this.replicas].map((replica) => replica?.kill()));
    await this.services.stop(); // removes the databases, too
    rmSync(this.folder, { recursive: true, force: true });
    this.callOff();
  }

  private async startControlPlane(): Promise<[Program, number]> {
    const folder = this.subfolder('control-plane');
    return onFreePort(undefined, async (port) => {
      const ports = { UNDERSTUDY_PORT: String(port), UNDERSTUDY_OPS_PORT: String(await freePort()) };
      const environment = { ...this.environment, ...ports };
      const controlPlane = await Program.start(
        this.programs,
        'control-plane',
        environment,
        folder,
        async () => {
          const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
          if (status !== 200) throw new Error(`GET /readyz returned ${status}`);
        },
      );
      return [controlPlane, port];
    });
  }

  private async addOrganization(name: string, withAgent: boolean): Promise<void> {
    const created = await this.command('org', 'create', '--name', name, '--plan', 'business', '--json');
    const { org_id: id, api_token: token } = JSON.parse(created) as { org_id: string; api_token: string };
    const { postgresUrl } = this.services;
    const copy = await createTestDatabase(postgresUrl);
    const staging = this.agents.haveStaging ? await createTestDatabase(postgresUrl, STAGING) : undefined;
    const databases = { control: this.control, shop: this.shop, copy, staging };
    this.organizations.set(name, {
      id,
      token,
      databases,
      agent: withAgent ? await this.startAgent(name, token, databases) : undefined,
    });
  }

  private async startAgent(name: string, token: string, databases: LiveDatabases): Promise<Program> {
    const { copy } = databases;
    const staging = databases.staging && (await asReplacer(databases.staging));
    const folder = this.subfolder(name.replace(/\W/g, '-'));
    const restorer = { roles: ['restore'], objectOwners: [SHOP_OWNER], isForNew: true } as const;
    const policy = {
      databases: {
        shop: { url: this.shopUrl, roles: ['source', 'snapshot'] },
        copy: { url: await asLeastPrivileged(copy.url, { roles: ['target'] }), roles: ['target'] },
        review: { url: `${await asLeastPrivileged(copy.url, restorer)}_review`, roles: ['restore'] },
        ...(staging && { staging: { url: staging.url, roles: ['replace'], build_url_env: 'BUILD_URL' } }),
      },
      ...(staging && { allow_source_code: true }),
    };
    const write = (file: string, text: string): string => {
      writeFileSync(join(folder, file), text, { mode: 0o600 });
      return join(folder, file);
    };
    const enrolment = await this.request<{ token: string }>(token, 'POST', '/agents/enrolment-tokens');
    const environment = {
      ...cleanEnvironment(),
      BUILD_URL: staging?.buildUrl,
      UNDERSTUDY_AGENT_NAME: 'eu-1',
      UNDERSTUDY_AGENT_STATE_DIR: join(folder, 'state'),
      UNDERSTUDY_AGENT_POLICY_FILE: write('policy.yaml', JSON.stringify(policy)), // JSON is also YAML
      UNDERSTUDY_AGENT_MASKING_KEY_FILE: write('masking-key', MASKING_KEY),
      UNDERSTUDY_AGENT_PG_BIN_DIR: this.services.postgresBinFolder,
      UNDERSTUDY_AGENT_ENROLMENT_TOKEN: enrolment.token,
      UNDERSTUDY_CONTROL_URL: this.baseUrl,
    };
    return Program.start(this.agents.programs, 'agent', environment, folder, async (since) => {
      const { agents } = await this.request<{ agents: AgentContact[] }>(token, 'GET', '/agents');
      const isLive = agents.some(
        (agent) => agent.status === 'live' && new Date(agent.last_seen_at ?? 0) >= since,
      );
      if (!isLive) throw new Error('the agent is not live');
    });
  }

  private subfolder(name: string): string {
    return mkdtempSync(join(this.folder, `${name}-`)); // an organisation may be added again
  }

  private async command(...args: string[]): Promise<string> {
    const { node, command } = this.programs;
    return (await run(node, [command('control-plane'), ...args], { env: this.environment })).stdout;
  }

  private async request<T>(token: string, method: string, path: string): Promise<T> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  }
}

function apiUrl(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

/** @returns the URL of the source with the role of all agents, always with the same password */
function asReader(shop: TestDatabase): Promise<string> {
  return asLeastPrivileged(shop.url, { roles: ['source', 'snapshot'], password: 'password-of-the-reader' });
}

function environmentOf({ redisUrl, natsUrl, natsSeeds }: TestServices, control: TestDatabase): Environment {
  return {
    ...cleanEnvironment(),
    UNDERSTUDY_DATABASE_URL: control.url,
    UNDERSTUDY_REDIS_URL: redisUrl,
    UNDERSTUDY_NATS_URL: natsUrl,
    UNDERSTUDY_NATS_OPERATOR_SEED: natsSeeds.operator,
    UNDERSTUDY_NATS_ACCOUNT_SEED: natsSeeds.account,
    UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: natsSeeds.agentAccount,
    UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: natsSeeds.systemAccount,
    UNDERSTUDY_OPS_PASSWORD: 'password-of-the-ops-page',
    UNDERSTUDY_PLAN_LIMITS: JSON.stringify(LIMITS),
    UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
    UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    UNDERSTUDY_GENERATION_THREADS: '1', // saves the start of a second thread for little data
    UNDERSTUDY_LOG_LEVEL: 'warn',
  };
}
