import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import {
  cleanEnvironment,
  cleanUpOnExit,
  freePort,
  programFile,
  startProcess,
  stopProcess,
  waitUntilReady,
  type ProcessIdentity,
} from '@understudy/stack';
import {
  createTestDatabase,
  startTestServices,
  waitFor,
  type TestDatabase,
  type TestServices,
} from '@understudy/testing';
import { Client } from 'pg';

const run = promisify(execFile);

/** An organisation with an agent. Each language has one of its own, so that results can be compared. */
export interface LiveOrganization {
  readonly id: string;
  /** The token of an owner. */
  readonly token: string;
  /** The database that jobs name `agent:copy`. */
  readonly target: TestDatabase;
  readonly agent: ProcessIdentity;
}

/** Rows of `customers` in the database that all jobs name `agent:shop`. */
export const CUSTOMERS = 300;
const SHOP = `
  CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, email text NOT NULL);
  INSERT INTO customers
    SELECT n, 'Customer ' || n, 'customer' || n || '@mail.example' FROM generate_series(1, ${CUSTOMERS}) AS n;
  CREATE TABLE stock (id int PRIMARY KEY);
  INSERT INTO stock SELECT generate_series(1, 10)`;

/** All agents have the same key, so that the copies of all organisations are equal. */
const MASKING_KEY = '5'.repeat(64);

/** High enough for all requests of the tests, so that no request has to wait. */
const LIMITS = { business: { requests_per_minute: 1_000_000, burst: 1_000_000, sync_jobs: 1_000_000 } };

/** The control plane as a process, its services, and an organisation with an agent for each name. */
export class LiveSystem {
  readonly organizations = new Map<string, LiveOrganization>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'understudy-clients-'));
  private readonly maskingKeyFile = join(this.folder, 'masking-key');
  private readonly processes: ProcessIdentity[] = [];
  private readonly guards: (() => void)[] = [];

  private constructor(
    private readonly services: TestServices,
    private readonly control: TestDatabase,
    /** The database that jobs name `agent:shop`. */
    readonly shop: TestDatabase,
    private readonly port: number,
    private readonly environment: Readonly<Record<string, string | undefined>>,
  ) {}

  /** Starts everything and waits until all agents are live. */
  static async start(names: readonly string[]): Promise<LiveSystem> {
    const services = await startTestServices();
    const control = await createTestDatabase(services.postgresUrl);
    const shop = await createTestDatabase(services.postgresUrl, SHOP);
    const port = await freePort();
    const environment = {
      ...cleanEnvironment(),
      UNDERSTUDY_DATABASE_URL: control.url,
      UNDERSTUDY_REDIS_URL: services.redisUrl,
      UNDERSTUDY_NATS_URL: services.natsUrl,
      UNDERSTUDY_NATS_OPERATOR_SEED: services.natsSeeds.operator,
      UNDERSTUDY_NATS_ACCOUNT_SEED: services.natsSeeds.account,
      UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: services.natsSeeds.agentAccount,
      UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: services.natsSeeds.systemAccount,
      UNDERSTUDY_PORT: String(port),
      UNDERSTUDY_OPS_PORT: String(await freePort()),
      UNDERSTUDY_OPS_PASSWORD: 'password-of-the-ops-page',
      UNDERSTUDY_PLAN_LIMITS: JSON.stringify(LIMITS),
      UNDERSTUDY_ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
      UNDERSTUDY_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      UNDERSTUDY_LOG_LEVEL: 'warn',
    };
    const system = new LiveSystem(services, control, shop, port, environment);
    try {
      writeFileSync(system.maskingKeyFile, MASKING_KEY, { mode: 0o600 });
      await system.command('migrate');
      await system.startProgram(
        'control-plane',
        environment,
        join(system.folder, 'control-plane'),
        async () => {
          const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
          if (status !== 200) throw new Error(`GET /readyz returned ${status}`);
        },
      );
      await Promise.all(names.map((name) => system.addOrganization(name)));
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  /** Ends in /v1. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  of(name: string): LiveOrganization {
    const found = this.organizations.get(name);
    if (found === undefined) throw new Error(`expected an organisation for ${name}`);
    return found;
  }

  /**
   * Locks a table of the source, so that no job can read it.
   * @returns a function that unlocks it
   */
  async lockSource(table: string): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: this.shop.url });
    await client.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    return () => client.end();
  }

  /** Waits until an agent holds the job with this name. */
  async untilRunning(name: string, job: string): Promise<void> {
    const { token } = this.of(name);
    await waitFor(`the start of the job "${job}" of ${name}`, async () => {
      const { data } = await this.request<{ jobs: { name: string; status: string }[] }>(
        token,
        'GET',
        '/sync/jobs?status=running',
      );
      return data.jobs.some((one) => one.name === job);
    });
  }

  /** Returns the rows of `customers` in the target and in the restored database. */
  async customersOf(name: string): Promise<Record<'copy' | 'review', Record<string, unknown>[]>> {
    const { target } = this.of(name);
    const review = new Client({ connectionString: `${target.url}_review` });
    await review.connect();
    const query = 'SELECT * FROM customers ORDER BY id';
    try {
      return { copy: (await target.query(query)).rows, review: (await review.query(query)).rows };
    } finally {
      await review.end();
    }
  }

  /** Returns the names and ids of the sync jobs of an organisation that the database contains. */
  async storedJobs(name: string): Promise<Map<string, string[]>> {
    const { rows } = await this.control.query(
      'SELECT name, array_agg(id::text) AS ids FROM sync_jobs WHERE organization_id = $1 GROUP BY name',
      [this.of(name).id],
    );
    return new Map(rows.map((row) => [String(row['name']), row['ids'] as string[]]));
  }

  /** Kills all agents. Their leases stay. */
  async killAgents(): Promise<void> {
    const agents = [...this.organizations.values()].map(({ agent }) => agent);
    await Promise.all(agents.map((agent) => stopProcess(agent, { signal: 'SIGKILL' })));
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => stopProcess(process, { signal: 'SIGKILL' })));
    const targets = [...this.organizations.values()].map(({ target }) => target);
    for (const database of [this.control, this.shop, ...targets]) await database.drop();
    await this.services.stop();
    rmSync(this.folder, { recursive: true, force: true });
    for (const callOff of this.guards) callOff();
  }

  private async addOrganization(name: string): Promise<void> {
    const created = await this.command('org', 'create', '--name', name, '--plan', 'business', '--json');
    const { org_id: id, api_token: token } = JSON.parse(created) as { org_id: string; api_token: string };
    const target = await createTestDatabase(this.services.postgresUrl);
    const folder = join(this.folder, name.replace(/\W/g, '-'));
    mkdirSync(folder, { mode: 0o700 });
    const policy = {
      databases: {
        shop: { url: this.shop.url, roles: ['source', 'snapshot'] },
        copy: { url: target.url, roles: ['target'] },
        review: { url: `${target.url}_review`, roles: ['restore'] },
      },
    };
    const policyFile = join(folder, 'policy.yaml');
    writeFileSync(policyFile, JSON.stringify(policy), { mode: 0o600 }); // JSON is YAML
    const enrolment = await this.request<{ token: string }>(token, 'POST', '/agents/enrolment-tokens');
    const agent = await this.startProgram(
      'agent',
      {
        ...cleanEnvironment(),
        UNDERSTUDY_AGENT_NAME: 'eu-1',
        UNDERSTUDY_AGENT_STATE_DIR: join(folder, 'state'),
        UNDERSTUDY_AGENT_POLICY_FILE: policyFile,
        UNDERSTUDY_AGENT_MASKING_KEY_FILE: this.maskingKeyFile,
        UNDERSTUDY_AGENT_PG_BIN_DIR: this.services.postgresBinFolder,
        UNDERSTUDY_AGENT_ENROLMENT_TOKEN: enrolment.data.token,
        UNDERSTUDY_CONTROL_URL: this.baseUrl,
      },
      folder,
      async () => {
        const { data } = await this.request<{ agents: { status: string }[] }>(token, 'GET', '/agents');
        if (!data.agents.some(({ status }) => status === 'live')) throw new Error('the agent is not live');
      },
    );
    this.organizations.set(name, { id, token, target, agent });
  }

  private async startProgram(
    name: 'control-plane' | 'agent',
    env: Readonly<Record<string, string | undefined>>,
    folder: string,
    ready: () => Promise<void>,
  ): Promise<ProcessIdentity> {
    const process_ = await startProcess(
      {
        name,
        command: process.execPath,
        args: [programFile(name, 'main.js')],
        env,
        cwd: this.folder,
        logFile: join(folder, `${name}.log`),
      },
      (exited) => waitUntilReady(ready, { exited }),
    );
    this.processes.push(process_);
    this.guards.push(cleanUpOnExit([process_.pid], [this.folder]));
    return process_;
  }

  private async command(...args: string[]): Promise<string> {
    const program = programFile('control-plane', 'cli.js');
    return (await run(process.execPath, [program, ...args], { env: this.environment })).stdout;
  }

  private async request<T>(token: string, method: string, path: string): Promise<{ data: T }> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as { data: T };
  }
}
