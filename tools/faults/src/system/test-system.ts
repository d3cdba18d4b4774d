import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  ensureBinaries,
  identifyProcess,
  stackDown,
  stackUp,
  waitUntilReady,
  type StackInfo,
} from '@understudy/stack';
import { SmallDisk } from '@understudy/testing';
import { Client } from 'pg';

import { ControlPlaneApi, type JobView } from './control-plane-api.js';
import { DatabaseServer } from './database-server.js';
import { JOB, sourceOf, TARGET_BEFORE } from './sample-databases.js';
import { sendInvalidEvents } from './invalid-events.js';
import { SecondAgent } from './second-agent.js';
import { SecondControlPlane } from './second-control-plane.js';

// From src and from dist alike: Node takes the compiled one.
const KILL_AT_STEP = new URL('../../dist/system/kill-at-step.js', import.meta.url);
/** An agent that says nothing has lost its job after so long: the shortest the control plane takes. */
const LEASE_SECONDS = '5';
const TARGET_DISK_SIZE = '768m';
const AGENT_DISK_SIZE = '64m';
/** Free space below which an agent takes no work. */
const FLOOR_MB = '16';
export const SOURCE_DATABASE = 'faults_source';
export const TARGET_DATABASE = 'faults_target';
const TEMPLATE = 'faults_before';

/** A whole system to break: control plane with its services, two agents that mask alike, a source and a target server. */
export class TestSystem {
  private replica: SecondControlPlane | undefined;

  private constructor(
    private readonly folder: string,
    private stack: StackInfo,
    readonly source: DatabaseServer,
    readonly target: DatabaseServer,
    readonly second: SecondAgent,
    private readonly stepFile: string,
    readonly binFolder: string,
    /** What the target's files lie on; undefined where this process may not mount. */
    readonly targetDisk: SmallDisk | undefined,
    /** What the state of the second agent lies on; likewise. */
    readonly agentDisk: SmallDisk | undefined,
  ) {}

  /** @param scale how many times the rows of a short job; the small disk holds five times them */
  static async open(say: (line: string) => void, scale = 1): Promise<TestSystem> {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-faults-'));
    const stepFile = join(folder, 'kill-at-step');
    const settings = agentSettings(stepFile);
    const { postgres } = await ensureBinaries({ services: ['postgres'] });
    const source = await DatabaseServer.start('source', folder, postgres);
    const disk = SmallDisk.mount(join(folder, 'small-disk'), TARGET_DISK_SIZE);
    const target = await DatabaseServer.start('target', disk?.folder ?? folder, postgres);
    const stack = await stackUp(stackOptions(folder, settings, say));
    const agentState = join(folder, 'second-agent-state');
    const agentDisk = SmallDisk.mount(agentState, AGENT_DISK_SIZE);
    const second = new SecondAgent(stack, settings, agentState);
    await second.up();
    await source.query('postgres', `CREATE DATABASE ${SOURCE_DATABASE}`);
    await source.query(SOURCE_DATABASE, sourceOf(scale));
    await target.query('postgres', `CREATE DATABASE ${TEMPLATE}`);
    await target.query(TEMPLATE, TARGET_BEFORE);
    const { binFolder } = postgres;
    return new TestSystem(folder, stack, source, target, second, stepFile, binFolder, disk, agentDisk);
  }

  async close(): Promise<void> {
    await this.removeControlPlane();
    await this.second.stop();
    await stackDown({ dataDir: join(this.folder, 'stack') });
    await Promise.all([this.source.stop(), this.target.stop()]);
    this.targetDisk?.unmount();
    this.agentDisk?.unmount();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Whatever is down comes up again; costs next to nothing when nothing is. */
  async up(): Promise<void> {
    if (this.isWhole()) return;
    await Promise.all([this.source.up(), this.target.up()]);
    this.stack = await stackUp(stackOptions(this.folder, agentSettings(this.stepFile), () => undefined));
    await this.second.up();
  }

  private isWhole(): boolean {
    const { postgres, redis, nats, control_plane: controlPlane, agents } = this.stack.pids;
    const pids = [postgres, redis, nats, controlPlane, ...agents];
    const isThere = (pid: number | null | undefined) =>
      typeof pid === 'number' && identifyProcess(pid) !== undefined;
    return pids.every(isThere) && this.second.isUp && this.source.isUp && this.target.isUp;
  }

  /** The target as it was before all jobs. */
  async resetTarget(): Promise<void> {
    await this.target.query('postgres', `DROP DATABASE IF EXISTS ${TARGET_DATABASE} WITH (FORCE)`);
    await this.target.query('postgres', `CREATE DATABASE ${TARGET_DATABASE} TEMPLATE ${TEMPLATE}`);
  }

  private get api(): ControlPlaneApi {
    return new ControlPlaneApi(this.stack);
  }

  get pids(): StackInfo['pids'] {
    return this.stack.pids;
  }

  get redisUrl(): string {
    return this.stack.redis_url;
  }

  /** Whether disks can be filled: only a process that may mount one can have them. */
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

  /** The agent that comes to this step of a job dies there, once. Undefined: nobody does. */
  dieAt(step: string | undefined): void {
    if (step === undefined) rmSync(this.stepFile, { force: true });
    else writeFileSync(this.stepFile, step);
  }

  async startJob(): Promise<string> {
    const database = (url: string) => ({ type: 'postgresql', connection_string: url });
    const source = database(`${this.source.url}/${SOURCE_DATABASE}`);
    const job = await this.api.call<JobView>('POST', '/sync/jobs', {
      ...JOB,
      source,
      target: database(this.targetUrl),
    });
    return job.id;
  }

  job(id: string): Promise<JobView> {
    return this.api.job(id);
  }

  async cancel(id: string): Promise<void> {
    await this.api.call('DELETE', `/sync/jobs/${id}`);
  }

  /** Processes of the agents: who works on the job, if anybody does, and the other. */
  async agentsOf(id: string): Promise<{ working: number | undefined; other: number | undefined }> {
    const { agent_id: holder } = await this.job(id);
    const agents = await this.api.agents();
    const pids = [this.stack.pids.agents[0], this.second.pid];
    if (agents.find((agent) => agent.id === holder)?.name === 'second') pids.reverse();
    return { working: holder === null ? undefined : pids[0], other: pids[1] };
  }

  /** Processes that hold a job's snapshot of the source: children of the agents, which other programs on the machine have too. */
  snapshotHolders(): number[] {
    const agents = [this.stack.pids.agents[0], this.second.pid];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => commandLine(pid).includes('snapshot-keeper') && agents.includes(parentOf(pid)))
      .map(Number);
  }

  ended(id: string): Promise<JobView> {
    return this.api.ended(id);
  }

  /** A second control plane, with its clock ahead by so much. */
  async addControlPlane(aheadMs: number): Promise<void> {
    this.replica = await SecondControlPlane.start(this.stack, aheadMs);
  }

  async removeControlPlane(): Promise<void> {
    await this.replica?.stop();
    this.replica = undefined;
  }

  /** Sends what no control plane can apply, in the name of the agent that holds the job. Resolves when it is recorded as such. */
  async sendInvalidEvents(jobId: string): Promise<void> {
    const { agent_id: agentId, attempts: epoch } = await this.job(jobId);
    if (agentId === null) throw new Error('expected an agent to hold the job');
    await sendInvalidEvents(this.stack, { agentId, jobId, epoch });
    await waitUntilReady(async () => {
      const letters = await this.controlRows('SELECT 1 FROM dead_letters WHERE agent_id = $1', [agentId]);
      if (letters.length === 0) throw new Error('no dead letter is recorded');
    });
  }

  /** Rows of the control plane's own database. */
  async controlRows<Row extends object>(sql: string, params: unknown[]): Promise<Row[]> {
    const client = new Client({ connectionString: this.stack.control_db_url });
    await client.connect();
    try {
      return (await client.query<Row>(sql, params)).rows;
    } finally {
      await client.end();
    }
  }
}

function agentSettings(stepFile: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${fileURLToPath(KILL_AT_STEP)}`,
    FAULTS_STEP_FILE: stepFile,
    UNDERSTUDY_AGENT_CONNECTIONS: '2',
    // A table of two megabytes is cut, so that a job can stop between two of its chunks.
    UNDERSTUDY_AGENT_CHUNK_MB: '1',
    UNDERSTUDY_AGENT_JOURNAL_MAX_MB: '8',
    UNDERSTUDY_AGENT_MIN_FREE_DISK_MB: FLOOR_MB,
  };
}

function stackOptions(folder: string, settings: Record<string, string>, say: (line: string) => void) {
  return {
    dataDir: join(folder, 'stack'),
    settings: { UNDERSTUDY_LEASE_SECONDS: LEASE_SECONDS },
    agentSettings: settings,
    say,
  };
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined; // it ended in the meantime
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // ended in between
  }
}
