import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureBinaries, programFile } from '@understudy/testing/provision';
import {
  isRunning,
  startProcess,
  stopProcess,
  waitUntilReady,
  type ProcessIdentity,
} from '@understudy/local-system';
import type { StackInfo } from '@understudy/stack';

import { ControlPlaneApi } from './control-plane-api.js';

/**
 * Second agent of the stack's organisation, with the masking key of the first agent, so that each can
 * continue the other's job. It has more slots than the first, so it gets the jobs while it runs.
 */
export class SecondAgent {
  private process: ProcessIdentity | undefined;
  private isRevoked = false;

  constructor(
    private readonly stack: StackInfo,
    private readonly settings: Readonly<Record<string, string>>,
    readonly stateFolder: string,
  ) {}

  get pid(): number | undefined {
    return isRunning(this.process) ? this.process?.pid : undefined;
  }

  /** True if its process runs and the agent is not revoked. */
  get isUp(): boolean {
    return this.pid !== undefined && !this.isRevoked;
  }

  /** Revokes the agent on the control plane. Its process continues. */
  async revoke(): Promise<void> {
    const agent = await this.api.agentNamed(NAME);
    if (agent === undefined) throw new Error('the second agent is not enrolled');
    await this.api.agents.revoke(agent.id);
    this.isRevoked = true;
  }

  /**
   * Starts the agent. Does nothing if it runs. A revoked agent is enrolled again with an empty state folder.
   */
  async up(): Promise<void> {
    if (this.isUp) return;
    await this.stop();
    if (this.isRevoked)
      for (const name of readdirSync(this.stateFolder))
        rmSync(join(this.stateFolder, name), { recursive: true });
    const first = join(this.stack.data_dir, 'agent');
    const folder = join(this.stack.data_dir, 'second-agent');
    mkdirSync(folder, { recursive: true });
    mkdirSync(this.stateFolder, { recursive: true, mode: 0o700 });
    const keyFile = join(folder, 'masking-key');
    writeFileSync(keyFile, maskingKeyOf(join(first, 'state', 'identity.json')), { mode: 0o600 });
    const binaries = await ensureBinaries({ services: ['postgres'] });
    const startedAt = Date.now();
    this.process = await startProcess(
      {
        name: 'second agent',
        command: process.execPath,
        args: [programFile('agent', 'main.js')],
        env: {
          ...process.env,
          ...this.settings,
          UNDERSTUDY_AGENT_NAME: NAME,
          UNDERSTUDY_AGENT_MAX_JOBS: '2',
          UNDERSTUDY_AGENT_STATE_DIR: this.stateFolder,
          UNDERSTUDY_AGENT_POLICY_FILE: join(first, 'policy.yaml'),
          UNDERSTUDY_AGENT_MASKING_KEY_FILE: keyFile,
          UNDERSTUDY_AGENT_PG_BIN_DIR: binaries.postgres.binFolder,
          UNDERSTUDY_CONTROL_URL: this.stack.base_url,
          UNDERSTUDY_AGENT_ENROLMENT_TOKEN: (await this.api.enrolmentTokens.create()).token,
        },
        cwd: folder,
        logFile: join(this.stack.logs_dir, 'second-agent.log'),
      },
      (exited) => waitUntilReady(() => this.expectLive(startedAt), { exited }),
    );
    this.isRevoked = false;
  }

  async stop(): Promise<void> {
    await stopProcess(this.process);
  }

  private async expectLive(sinceMs: number): Promise<void> {
    if (!(await this.api.isLive(NAME, sinceMs))) throw new Error('the second agent is not live');
  }

  private get api(): ControlPlaneApi {
    return new ControlPlaneApi(this.stack);
  }
}

const NAME = 'second';

function maskingKeyOf(identityFile: string): string {
  const { masking_key: key } = JSON.parse(readFileSync(identityFile, 'utf8')) as { masking_key: string };
  return Buffer.from(key, 'base64').toString('hex');
}
