import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import {
  ensureBinaries,
  isRunning,
  startProcess,
  stopProcess,
  waitUntilReady,
  type ProcessIdentity,
  type StackInfo,
} from '@understudy/stack';

/** Another agent of the stack's organisation, with the masking key of the first: either can go on where the other stopped. */
export class SecondAgent {
  private process: ProcessIdentity | undefined;

  constructor(
    private readonly stack: StackInfo,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  get pid(): number | undefined {
    return isRunning(this.process) ? this.process?.pid : undefined;
  }

  /** Leaves a running one alone. */
  async up(): Promise<void> {
    if (isRunning(this.process)) return;
    const first = join(this.stack.data_dir, 'agent');
    const place = join(this.stack.data_dir, 'second-agent');
    const state = join(place, 'state');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const keyFile = join(place, 'masking-key');
    writeFileSync(keyFile, maskingKeyOf(join(first, 'state', 'identity.json')), { mode: 0o600 });
    const binaries = await ensureBinaries({ services: ['postgres'] });
    const startedAt = new Date();
    this.process = await startProcess(
      {
        name: 'second agent',
        command: process.execPath,
        args: [
          join(
            dirname(createRequire(import.meta.url).resolve('@understudy/agent/package.json')),
            'dist/main.js',
          ),
        ],
        env: {
          ...process.env,
          ...this.settings,
          UNDERSTUDY_AGENT_NAME: 'second',
          UNDERSTUDY_AGENT_STATE_DIR: state,
          UNDERSTUDY_AGENT_POLICY_FILE: join(first, 'policy.yaml'),
          UNDERSTUDY_AGENT_MASKING_KEY_FILE: keyFile,
          UNDERSTUDY_AGENT_PG_BIN_DIR: binaries.postgres.binFolder,
          UNDERSTUDY_CONTROL_URL: this.stack.base_url,
          UNDERSTUDY_AGENT_ENROLMENT_TOKEN: await this.enrolmentToken(),
        },
        cwd: place,
        logFile: join(this.stack.logs_dir, 'second-agent.log'),
      },
      (exited) => waitUntilReady(() => this.isLive(startedAt), { exited }),
    );
  }

  async stop(): Promise<void> {
    await stopProcess(this.process);
  }

  private async isLive(since: Date): Promise<void> {
    const { agents } = await this.call<{
      agents: { name: string; status: string; last_seen_at: string | null }[];
    }>('GET', '/agents');
    const live = agents.some(
      ({ name, status, last_seen_at: seen }) =>
        name === 'second' && status === 'live' && seen !== null && new Date(seen) >= since,
    );
    if (!live) throw new Error('the second agent is not live');
  }

  private async enrolmentToken(): Promise<string> {
    return (await this.call<{ token: string }>('POST', '/agents/enrolment-tokens')).token;
  }

  private async call<T>(method: string, path: string): Promise<T> {
    const response = await fetch(`${this.stack.base_url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.stack.api_token}` },
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return ((await response.json()) as { data: T }).data;
  }
}

function maskingKeyOf(identityFile: string): string {
  const { masking_key: key } = JSON.parse(readFileSync(identityFile, 'utf8')) as { masking_key: string };
  return Buffer.from(key, 'base64').toString('hex');
}
