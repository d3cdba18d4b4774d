import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { ensureBinaries } from '@understudy/testing/provision';
import { waitUntilReady, withClient } from '@understudy/local-system';
import { DATABASE_OWNER, DATABASES, TwoNetworks } from '@understudy/testing';

import { targetFingerprint } from '../checks/target-fingerprint.js';
import { ControlPlaneApi } from '../system/control-plane-api.js';
import { FIRST_AGENT_GROUP } from './link-cut.js';
import { NETWORK_JOB, NETWORK_SOURCE, NETWORK_TARGET_BEFORE, SOURCE_BYTES } from './sample-tables.js';

// The path of the compiled file, which Node loads. It is correct both from src and from dist.
const WATCH_STEPS = fileURLToPath(new URL('../../dist/network/watch-steps.js', import.meta.url));
export const FIRST = 'first';
const TEMPLATE = 'before';
/** Connections of a job to the source. The limit of the throughput applies to each of them. */
const CONNECTIONS = 2;

/** Two networks with a control plane and agents, and a job that copies slowly enough to be disturbed. */
export class NetworkSystem {
  readonly api: ControlPlaneApi;

  private constructor(
    readonly networks: TwoNetworks,
    private readonly binFolder: string,
  ) {
    const { origin, apiToken } = networks.control;
    this.api = new ControlPlaneApi({ base_url: `${origin}/v1`, api_token: apiToken });
  }

  static async open(proxyIdleMs?: number): Promise<NetworkSystem> {
    const networks = await TwoNetworks.open({
      way: proxyIdleMs === undefined ? 'two-ports' : 'proxy',
      ...(proxyIdleMs !== undefined && { proxyIdleMs }),
    });
    try {
      const { postgres } = await ensureBinaries({ services: ['postgres'] });
      const system = new NetworkSystem(networks, postgres.binFolder);
      await system.query('source', `SET ROLE ${DATABASE_OWNER}; ${NETWORK_SOURCE}`);
      await system.queryServer(`CREATE DATABASE ${TEMPLATE} OWNER ${DATABASE_OWNER}`);
      await system.queryServer(`SET ROLE ${DATABASE_OWNER}; ${NETWORK_TARGET_BEFORE}`, TEMPLATE);
      await networks.control.startControlPlane();
      await system.startAgent(FIRST);
      return system;
    } catch (error) {
      await networks.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.networks.close();
  }

  /**
   * Starts an agent and waits until it is live. An agent without a state folder enrols.
   * @param awaits false to return when the process has started, for an agent that starts during a cut
   */
  async startAgent(name: string, awaits = true): Promise<void> {
    const { customer, control } = this.networks;
    const since = Date.now();
    await customer.startAgent(
      name,
      {
        NODE_OPTIONS: `--import ${WATCH_STEPS}`,
        FAULTS_STEP_LOG: this.stepLog,
        FAULTS_HOLD_FILE: this.holdFile,
        // Splits a table into parts of one megabyte, so that a lost attempt keeps most of its rows.
        UNDERSTUDY_AGENT_CHUNK_MB: '1',
        UNDERSTUDY_AGENT_CONNECTIONS: String(CONNECTIONS),
        UNDERSTUDY_AGENT_MASKING_KEY_FILE: this.maskingKeyFile(),
        UNDERSTUDY_AGENT_ENROLMENT_TOKEN: control.enrolmentToken(),
      },
      async () => {
        if (awaits && !(await this.api.isLive(name, since))) throw new Error(`the agent ${name} is not live`);
      },
      name === FIRST ? FIRST_AGENT_GROUP : undefined,
    );
  }

  /** Stops an agent, revokes it and removes its state. */
  async removeAgent(name: string): Promise<void> {
    await this.networks.customer.stopAgent(name);
    for (const { id, name: found, status } of (await this.api.agents.list()).agents)
      if (found === name && status !== 'revoked') await this.api.agents.revoke(id);
    rmSync(this.networks.customer.stateOf(name), { recursive: true, force: true });
  }

  /** Restores the target to its content before the first job, and forgets the steps of earlier jobs. */
  async resetTarget(): Promise<void> {
    await this.queryServer(`DROP DATABASE IF EXISTS ${DATABASES.target} WITH (FORCE)`);
    await this.queryServer(
      `CREATE DATABASE ${DATABASES.target} OWNER ${DATABASE_OWNER} TEMPLATE ${TEMPLATE}`,
    );
    rmSync(this.stepLog, { force: true });
    rmSync(this.holdFile, { force: true });
  }

  async startJob(): Promise<string> {
    const database = (name: string) => ({ type: 'postgresql', connection_string: `agent:${name}` });
    const job = await this.api.jobs.create({
      ...NETWORK_JOB,
      source: database(DATABASES.source),
      target: database(DATABASES.target),
    });
    return job.id;
  }

  /**
   * Slows the copy down, so that copying all rows takes at least this time. It affects the rows that are not
   * copied yet.
   * @param seconds 0 for no limit
   */
  slowCopy(seconds: number): Promise<void> {
    const { customer } = this.networks;
    return customer.setSourceSpeed(
      seconds === 0 ? {} : { bytesPerSecond: SOURCE_BYTES / seconds / CONNECTIONS },
    );
  }

  /** Holds the next agent that reaches this step, until `letGo` is called. */
  holdAt(step: string): void {
    writeFileSync(this.holdFile, step);
  }

  letGo(): void {
    rmSync(this.holdFile, { force: true });
  }

  /** Lets the held agent go, and waits. */
  async letGoFor(seconds: number): Promise<void> {
    this.letGo();
    await sleep(seconds * 1_000);
  }

  /** Returns the steps that jobs have reached since the target was reset. */
  steps(): string[] {
    return existsSync(this.stepLog) ? readFileSync(this.stepLog, 'utf8').trim().split('\n') : [];
  }

  /** Resolves when a job has reached a step. */
  reached(step: string, timeoutMs = 120_000): Promise<void> {
    return waitUntilReady(
      async () => {
        if (!this.steps().includes(step)) throw new Error(`no job has reached ${step}`);
        return Promise.resolve();
      },
      { timeoutMs },
    );
  }

  fingerprint(): Promise<string> {
    return targetFingerprint(this.networks.customer.url('target'), this.binFolder);
  }

  /** Returns what jobs have left on the target: their hidden schemas. */
  async leftovers(): Promise<string[]> {
    const rows = await this.query(
      'target',
      `SELECT nspname AS name FROM pg_namespace n WHERE nspname LIKE 'understudy%' AND EXISTS
         (SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'r' AND c.relname <> 'job')`,
    );
    return rows.map(({ name }) => String(name));
  }

  private maskingKeyFile(): string {
    const file = join(this.networks.folder, 'masking-key');
    if (!existsSync(file)) writeFileSync(file, '5c'.repeat(32), { mode: 0o600 });
    return file;
  }

  private get stepLog(): string {
    return join(this.networks.folder, 'steps');
  }

  private get holdFile(): string {
    return join(this.networks.folder, 'hold');
  }

  private query(database: keyof typeof DATABASES, sql: string): Promise<Record<string, unknown>[]> {
    return this.queryServer(sql, DATABASES[database]);
  }

  private queryServer(sql: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    return withClient(
      `${this.networks.customer.postgresUrl}/${database}`,
      async (client) => (await client.query<Record<string, unknown>>(sql)).rows,
    );
  }
}
