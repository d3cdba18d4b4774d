import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  cleanUpOnExit,
  DATABASES_ROLE,
  identifyProcess,
  waitUntilReady,
  withClient,
} from '@understudy/local-system';
import { ensureBinaries } from '@understudy/testing/provision';
import { stackDown, stackUp, type StackInfo } from '@understudy/stack';
import { SmallDisk } from '@understudy/testing';

import { ControlPlaneApi } from './control-plane-api.js';
import { DatabaseServer } from './database-server.js';
import { keptDatabases } from '../checks/leftovers.js';
import { JOBS, SNAPSHOTTED, sourceOf, TARGET_BEFORE } from './sample-databases.js';
import { sendInvalidEvents } from './invalid-events.js';
import { SecondAgent } from './second-agent.js';
import { SecondControlPlane } from './second-control-plane.js';
import { TargetLink } from './target-link.js';
import type { WantedStep } from './kill-at-step.js';

// The path of the compiled file, which Node loads. It is correct both from src and from dist.
const KILL_AT_STEP = new URL('../../dist/system/kill-at-step.js', import.meta.url);
/**
 * Seconds without a heartbeat after which an agent has lost its job: the shortest lease that the control
 * plane accepts.
 */
const LEASE_SECONDS = '5';
const TARGET_DISK_SIZE = '768m';
const AGENT_DISK_SIZE = '64m';
/** Free space in MB below which an agent accepts no work. */
const FLOOR_MB = '16';
export const SOURCE_DATABASE = 'faults_source';
export const TARGET_DATABASE = 'faults_target';
/** The database of the snapshot that rounds restore into the target. */
export const SNAPSHOT_DATABASE = 'faults_snapshot';
const TEMPLATE = 'faults_before';
/** The second login, in whose sessions the code of the source runs while a job builds a database. */
const BUILD_ROLE = 'faults_build';

/**
 * A whole system for fault injection: the control plane with its services, two agents with the same masking
 * key, a source server and a target server.
 */
export class TestSystem {
  private replica: SecondControlPlane | undefined;

  private constructor(
    readonly folder: string,
    private stack: StackInfo,
    readonly source: DatabaseServer,
    readonly target: DatabaseServer,
    /** The link between the agents and the target server. */
    readonly link: TargetLink,
    readonly second: SecondAgent,
    readonly stepFile: string,
    readonly binFolder: string,
    /** Disk of the target's files. Undefined if this process may not mount disks. */
    readonly targetDisk: SmallDisk | undefined,
    /** Disk of the second agent's state. Undefined if this process may not mount disks. */
    readonly agentDisk: SmallDisk | undefined,
    /** Cancels the cleanup at the end of this process. */
    private readonly callOff: () => void,
  ) {}

  /** @param scale factor for the number of rows, at most 5; the small disk has no room for more */
  static async open(log: (line: string) => void, scale = 1): Promise<TestSystem> {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-faults-'));
    const callOff = cleanUpOnExit([], [folder]);
    const stepFile = join(folder, 'kill-at-step');
    const { postgres } = await ensureBinaries({ services: ['postgres'] });
    const source = await DatabaseServer.start('source', folder, postgres);
    const disk = SmallDisk.mount(join(folder, 'small-disk'), TARGET_DISK_SIZE);
    const target = await DatabaseServer.start('target', disk?.folder ?? folder, postgres);
    await target.query(
      'postgres',
      `CREATE ROLE ${BUILD_ROLE} LOGIN PASSWORD '${BUILD_ROLE}'; GRANT ${BUILD_ROLE} TO ${DATABASES_ROLE}`,
    );
    const link = await TargetLink.open(target.url);
    const parts = { folder, stepFile, source, target, link };
    const settings = agentSettings(parts);
    writeFileSync(snapshotKeyFile(folder), randomBytes(32).toString('hex'), { mode: 0o600 });
    mkdirSync(snapshotFolder(folder), { mode: 0o700 });
    const stack = await stackUp(stackOptions(parts, log));
    const agentState = join(folder, 'second-agent-state');
    const agentDisk = SmallDisk.mount(agentState, AGENT_DISK_SIZE);
    const second = new SecondAgent(stack, settings, agentState);
    await second.up();
    await source.query('postgres', `CREATE DATABASE ${SOURCE_DATABASE} OWNER ${DATABASES_ROLE}`);
    await source.query(SOURCE_DATABASE, `SET ROLE ${DATABASES_ROLE}; ${sourceOf(scale)}`);
    // A server that crashes moves each sequence used since its last checkpoint, so all later copies would differ.
    await source.query(SOURCE_DATABASE, 'CHECKPOINT');
    await target.query('postgres', `CREATE DATABASE ${TEMPLATE} OWNER ${DATABASES_ROLE}`);
    await target.query(TEMPLATE, `SET ROLE ${DATABASES_ROLE}; ${TARGET_BEFORE}`);
    await target.query('postgres', `CREATE DATABASE ${SNAPSHOT_DATABASE} OWNER ${DATABASES_ROLE}`);
    await target.query(SNAPSHOT_DATABASE, `SET ROLE ${DATABASES_ROLE}; ${SNAPSHOTTED}`);
    const { binFolder } = postgres;
    return new TestSystem(
      folder,
      stack,
      source,
      target,
      link,
      second,
      stepFile,
      binFolder,
      disk,
      agentDisk,
      callOff,
    );
  }

  async close(): Promise<void> {
    await this.removeControlPlane();
    await this.second.stop();
    await stackDown({ dataDir: join(this.folder, 'stack') });
    await this.link.close();
    await Promise.all([this.source.stop(), this.target.stop()]);
    this.targetDisk?.unmount();
    this.agentDisk?.unmount();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    this.callOff();
  }

  /** Starts everything that is down. Costs almost nothing if everything runs. */
  async up(): Promise<void> {
    if (this.isWhole()) return;
    await Promise.all([this.source.up(), this.target.up()]);
    this.stack = await stackUp(stackOptions(this, () => undefined));
    await this.second.up();
  }

  private isWhole(): boolean {
    const { postgres, redis, nats, control_plane: controlPlane, agents } = this.stack.pids;
    const pids = [postgres, redis, nats, controlPlane, ...agents];
    const isThere = (pid: number | null | undefined) =>
      typeof pid === 'number' && identifyProcess(pid) !== undefined;
    return pids.every(isThere) && this.second.isUp && this.source.isUp && this.target.isUp;
  }

  /** Restores the target to its content before the first job. */
  async resetTarget(): Promise<void> {
    for (const name of [TARGET_DATABASE, ...(await keptDatabases(this.target, TARGET_DATABASE))])
      await this.target.query('postgres', `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    const options = `OWNER ${DATABASES_ROLE} TEMPLATE ${TEMPLATE}`;
    await this.target.query('postgres', `CREATE DATABASE ${TARGET_DATABASE} ${options}`);
  }

  get api(): ControlPlaneApi {
    return new ControlPlaneApi(this.stack);
  }

  get pids(): StackInfo['pids'] {
    return this.stack.pids;
  }

  get redisUrl(): string {
    return this.stack.redis_url;
  }

  /** True if this process may mount the disks that faults fill. */
  get hasSmallDisks(): boolean {
    return this.targetDisk !== undefined && this.agentDisk !== undefined;
  }

  /** State folders of the agents. */
  get agentStates(): string[] {
    return [join(this.stack.data_dir, 'agent', 'state'), this.second.stateFolder];
  }

  get targetUrl(): string {
    return `${this.target.url}/${TARGET_DATABASE}`;
  }

  /**
   * Requests a kill of the next agent that reaches this step of its work. Only this one agent is killed.
   * @param how `isHeld` holds the agent instead of killing it; `times` is how often it must reach the step
   */
  dieAt(step: string, how: Partial<Pick<WantedStep, 'times' | 'isHeld'>> = {}): void {
    writeFileSync(
      this.stepFile,
      JSON.stringify({ step, times: 1, isHeld: false, ...how } satisfies WantedStep),
    );
  }

  /** Resolves when an agent is held. */
  untilHeld(): Promise<void> {
    return this.until(() => Promise.resolve(existsSync(`${this.stepFile}.held`)));
  }

  letGo(): void {
    rmSync(`${this.stepFile}.held`, { force: true });
  }

  /** Withdraws the request of {@link dieAt}. @returns whether there was one that no agent had reached */
  withdrawDeath(): boolean {
    const isPending = existsSync(this.stepFile);
    rmSync(this.stepFile, { force: true });
    this.letGo();
    return isPending;
  }

  /** Resolves when a condition is true, and rejects after two minutes. */
  until(isTrue: () => Promise<boolean>): Promise<void> {
    const check = async () => {
      if (!(await isTrue())) throw new Error('the condition is not true yet');
    };
    return waitUntilReady(check, { timeoutMs: 120_000 });
  }

  async startJob(replaced: keyof typeof JOBS, more: { readonly seed?: number } = {}): Promise<string> {
    const database = (name: string) => ({ type: 'postgresql', connection_string: `agent:${name}` });
    const [source, target] = [database(SOURCE_DATABASE), database(TARGET_DATABASE)];
    return (await this.api.jobs.create({ ...JOBS[replaced], ...more, source, target })).id;
  }

  /** @returns the process that works on the job, if any, and the process of the other agent */
  async agentsOf(id: string): Promise<{ working: number | undefined; other: number | undefined }> {
    const { agent_id: owner } = await this.api.jobs.get(id);
    const { agents } = await this.api.agents.list();
    const pids = [this.stack.pids.agents[0], this.second.pid];
    if (agents.find((agent) => agent.id === owner)?.name === 'second') pids.reverse();
    return { working: owner === null ? undefined : pids[0], other: pids[1] };
  }

  /**
   * @returns the process ids of the snapshot keepers that the two agents started. Other programs on the
   *   machine may have snapshot keepers too; these are not included
   */
  snapshotKeepers(): number[] {
    const agents = [this.stack.pids.agents[0], this.second.pid];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => commandLine(pid).includes('snapshot-keeper') && agents.includes(parentOf(pid)))
      .map(Number);
  }

  /**
   * Starts a second control plane.
   * @param aheadMs how far its clock is ahead of the clock of the first; negative if it is behind
   */
  async addControlPlane(aheadMs: number): Promise<void> {
    this.replica = await SecondControlPlane.start(this.stack, aheadMs);
  }

  async removeControlPlane(): Promise<void> {
    await this.replica?.stop();
    this.replica = undefined;
  }

  /**
   * Sends invalid events in the name of the agent that works on the job. Resolves when the control plane has
   * recorded them as dead letters.
   */
  async sendInvalidEvents(jobId: string): Promise<void> {
    const { agent_id: agentId, attempts: epoch } = await this.api.jobs.get(jobId);
    if (agentId === null) throw new Error('expected an agent that works on the job');
    await sendInvalidEvents(this.stack, { agentId, jobId, epoch });
    await waitUntilReady(async () => {
      const letters = await this.controlRows('SELECT 1 FROM dead_letters WHERE agent_id = $1', [agentId]);
      if (letters.length === 0) throw new Error('no dead letter was recorded');
    });
  }

  /** Runs a query on the control plane's own database. */
  controlRows<Row extends object>(sql: string, params: unknown[]): Promise<Row[]> {
    return withClient(
      this.stack.control_db_url,
      async (client) => (await client.query<Row>(sql, params)).rows,
    );
  }
}

type Parts = Pick<TestSystem, 'folder' | 'stepFile' | 'source' | 'target' | 'link'>;

const snapshotFolder = (folder: string) => join(folder, 'snapshots');
const snapshotKeyFile = (folder: string) => join(folder, 'snapshot.key');

function agentSettings({ folder, stepFile, target, link }: Parts): Record<string, string> {
  return {
    FAULTS_BUILD_URL: link.through(target.urlOf(BUILD_ROLE, TARGET_DATABASE)),
    NODE_OPTIONS: `--import ${fileURLToPath(KILL_AT_STEP)}`,
    FAULTS_STEP_FILE: stepFile,
    // Both agents can restore the snapshots of each other.
    UNDERSTUDY_AGENT_SNAPSHOT_DIR: snapshotFolder(folder),
    UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE: snapshotKeyFile(folder),
    UNDERSTUDY_AGENT_CONNECTIONS: '2',
    // Splits a table of two megabytes, so that a job can stop between two of its chunks.
    UNDERSTUDY_AGENT_CHUNK_MB: '1',
    UNDERSTUDY_AGENT_JOURNAL_MAX_MB: '8',
    UNDERSTUDY_AGENT_MIN_FREE_DISK_MB: FLOOR_MB,
  };
}

function stackOptions(parts: Parts, log: (line: string) => void) {
  const { folder, source, target, link } = parts;
  const offered = {
    [SOURCE_DATABASE]: { url: `${source.jobUrl}/${SOURCE_DATABASE}`, roles: ['source'] },
    [TARGET_DATABASE]: {
      url: link.through(`${target.jobUrl}/${TARGET_DATABASE}`),
      build_url_env: 'FAULTS_BUILD_URL',
      roles: ['target', 'replace', 'restore'],
    },
    [SNAPSHOT_DATABASE]: { url: link.through(`${target.jobUrl}/${SNAPSHOT_DATABASE}`), roles: ['snapshot'] },
  };
  return {
    dataDir: join(folder, 'stack'),
    offerDatabases: () => Promise.resolve(offered),
    // Some faults leave an agent down. Without a grace period, its job goes to the other agent even if that agent was
    // away when the job began.
    settings: { UNDERSTUDY_LEASE_SECONDS: LEASE_SECONDS, UNDERSTUDY_GRACE_PERIOD_SECONDS: '0' },
    agentSettings: agentSettings(parts),
    log,
  };
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined; // the process ended in the meantime
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // the process ended in the meantime
  }
}
