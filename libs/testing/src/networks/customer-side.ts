import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  cleanEnvironment,
  isRunning,
  stopProcess,
  waitUntilReady,
  withClient,
  type ProcessIdentity,
} from '@understudy/local-system';
import { programFile } from '../provision/checkout-programs.js';

import { childrenOf } from '../child-processes.js';
import { asLeastPrivileged } from '../least-privilege.js';
import {
  ADDRESSES,
  certificatesIn,
  CONTROL_HOST,
  hostsOf,
  PROXY_HOST,
  PROXY_PORT,
  type TwoNetworksOptions,
} from './network-plan.js';
import type { Site } from './site.js';
import type { RelaySettings } from './tcp-relay.js';

/** The port of the relay in front of the source database. */
const SOURCE_PORT = 5433;

/** The databases of the customer, by the names under which jobs use them, with `agent:` before the name. */
export const DATABASES = { source: 'shop', target: 'shop_copy', restored: 'shop_restored' } as const;

/** The role that owns the databases, and with which agents connect. It is not a superuser. */
export const DATABASE_OWNER = 'shop_owner';

/** The network of the customer: PostgreSQL with three empty databases, and agents. */
export class CustomerSide {
  private readonly agents = new Map<string, ProcessIdentity>();
  private controlAddress: string = ADDRESSES.control;

  private constructor(
    readonly site: Site,
    private readonly folder: string,
    private environment: Readonly<Record<string, string | undefined>>,
    /** URL of the server for the test, without a database name. */
    readonly postgresUrl: string,
    private readonly postgresPort: number,
  ) {}

  static async open(site: Site, folder: string, { way }: TwoNetworksOptions): Promise<CustomerSide> {
    const { postgresUrl, postgresBinFolder } = await site.services({ postgres: true });
    const port = Number(new URL(postgresUrl).port);
    const password = 'owners-password';
    const ownerUrl = Object.assign(new URL(postgresUrl), { username: DATABASE_OWNER, password });
    const urlOf = (name: string, at = port) =>
      Object.assign(new URL(ownerUrl), { port: String(at), pathname: `/${name}` }).href;
    const environment = {
      ...cleanEnvironment(),
      UNDERSTUDY_CA_FILE: join(certificatesIn(folder), 'ca.crt'),
      ...(way === 'proxy' && { HTTPS_PROXY: `http://${PROXY_HOST}:${PROXY_PORT}` }),
      UNDERSTUDY_CONTROL_URL: `https://${CONTROL_HOST}/v1`,
      UNDERSTUDY_AGENT_POLICY_FILE: join(folder, 'policy.json'),
      UNDERSTUDY_AGENT_PG_BIN_DIR: postgresBinFolder,
      SOURCE_URL: urlOf(DATABASES.source, SOURCE_PORT),
      TARGET_URL: urlOf(DATABASES.target),
      RESTORED_URL: urlOf(DATABASES.restored),
    };
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
    const exposed = await site.exposeUrl(postgresUrl);
    await query(exposed, `CREATE ROLE ${DATABASE_OWNER} LOGIN CREATEDB PASSWORD '${password}'`);
    for (const name of Object.values(DATABASES))
      await query(exposed, `CREATE DATABASE ${name} OWNER ${DATABASE_OWNER}`);
    const side = new CustomerSide(site, folder, environment, exposed, port);
    await side.setSourceSpeed({});
    return side;
  }

  /** Limits the throughput of each connection to the source, so that a copy takes long enough. */
  async setSourceSpeed(settings: RelaySettings): Promise<void> {
    await this.site.relay(SOURCE_PORT, { host: '127.0.0.1', port: this.postgresPort }, settings);
  }

  /**
   * Delays the traffic of the link by relays in this network, which the names of the control plane then lead
   * to.
   * @param delayMs time for each direction
   */
  async delayLink(delayMs: number): Promise<void> {
    for (const port of [443, 4222])
      await this.site.relay(port, { host: this.controlAddress, port }, { delayMs });
    this.site.namespace.setHosts(hostsOf('127.0.0.1'));
  }

  /** Lets the names lead to the servers again. Connections through the relays remain. */
  removeDelay(): void {
    this.site.namespace.setHosts(hostsOf(this.controlAddress));
  }

  /** Lets the names of the control plane lead to another address. */
  useAddress(address: string): void {
    this.controlAddress = address;
    this.site.namespace.setHosts(hostsOf(address));
  }

  /** URL of a database for the test. */
  url(database: keyof typeof DATABASES): string {
    return `${this.postgresUrl}/${DATABASES[database]}`;
  }

  /**
   * Creates the roles that `understudy-agent grants` describes, for agents that start later. The source must already
   * have its tables, which must belong to {@link DATABASE_OWNER}.
   */
  async useLeastPrivileges(): Promise<void> {
    for (const [variable, database] of Object.entries(URL_VARIABLES)) {
      const { roles } = POLICY.databases[DATABASES[database]];
      const made = new URL(
        await asLeastPrivileged(this.url(database), { roles, objectOwners: [DATABASE_OWNER] }),
      );
      const url = new URL(this.environment[variable] ?? '');
      Object.assign(url, { username: made.username, password: made.password });
      this.environment = { ...this.environment, [variable]: url.href };
    }
  }

  /**
   * Starts an agent, which enrols if its state folder is empty. Resolves when `ready` resolves.
   * @param ready resolves when the agent is as far as the test needs it
   * @param group id of the group of its process, by which firewall rules can select its packets
   */
  async startAgent(
    name: string,
    settings: Readonly<Record<string, string>>,
    ready: () => Promise<void>,
    group?: string,
  ): Promise<void> {
    mkdirSync(this.stateOf(name), { recursive: true, mode: 0o700 });
    const program = [programFile('agent', 'main.js')];
    const spec = {
      name,
      ...(group === undefined
        ? { command: process.execPath, args: program }
        : { command: 'setpriv', args: ['--regid', group, '--clear-groups', process.execPath, ...program] }),
      env: {
        ...this.environment,
        UNDERSTUDY_AGENT_NAME: name,
        UNDERSTUDY_AGENT_STATE_DIR: this.stateOf(name),
        ...settings,
      },
      cwd: this.folder,
      logFile: this.logOf(name),
    };
    const wait = (exited: AbortSignal): Promise<void> =>
      waitUntilReady(ready, { exited, timeoutMs: 100_000 });
    this.agents.set(name, await this.site.namespace.start(spec, wait));
  }

  async stopAgent(name: string): Promise<void> {
    await stopProcess(this.agents.get(name));
  }

  isAgentRunning(name: string): boolean {
    return isRunning(this.agents.get(name));
  }

  /** Returns the process ids of an agent and of the processes that it started. */
  processesOf(name: string): number[] {
    const agent = this.agents.get(name)?.pid;
    return agent === undefined ? [] : [agent, ...childrenOf(agent)];
  }

  /** Runs a command of the agent's cli.js and returns its output. */
  command(name: string, ...args: string[]): string {
    const environment = { ...this.environment, UNDERSTUDY_AGENT_STATE_DIR: this.stateOf(name) };
    return this.site.namespace.runWith(
      environment,
      process.execPath,
      programFile('agent', 'cli.js'),
      ...args,
    );
  }

  /**
   * Sends a request to the API from the customer's network with curl, which trusts the same authority and uses
   * the same proxy as the agent.
   * @param path path after `/v1`
   * @returns what curl prints
   */
  curl(path: string, ...options: string[]): string {
    const url = `https://${CONTROL_HOST}/v1${path}`;
    const trust = ['--cacert', join(certificatesIn(this.folder), 'ca.crt')];
    return this.site.namespace.runWith(
      this.environment,
      'curl',
      '--silent',
      '--show-error',
      ...trust,
      ...options,
      url,
    );
  }

  stateOf(name: string): string {
    return join(this.folder, `state-${name}`);
  }

  logOf(name: string): string {
    return join(this.folder, 'logs', `${name}.log`);
  }
}

async function query(serverUrl: string, sql: string): Promise<void> {
  await withClient(`${serverUrl}/postgres`, (client) => client.query(sql));
}

const URL_VARIABLES = { SOURCE_URL: 'source', TARGET_URL: 'target', RESTORED_URL: 'restored' } as const;

const POLICY = {
  databases: {
    [DATABASES.source]: { url_env: 'SOURCE_URL', roles: ['source', 'snapshot'] },
    [DATABASES.target]: { url_env: 'TARGET_URL', roles: ['target'] },
    [DATABASES.restored]: { url_env: 'RESTORED_URL', roles: ['restore'] },
  },
} as const;
