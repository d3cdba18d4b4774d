import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { waitFor } from '@understudy/testing';

/**
 * Kills an agent with SIGKILL at a step of its work on snapshots
 * (`libs/snapshot-engine/src/job/snapshot-step.ts`) or sync jobs (`libs/sync-engine/src/sync-steps.ts`). A preloaded
 * program compares each step with the content of a file. The program deletes the file before it kills the process, so
 * that the next process survives.
 */
export class DieAtStep {
  private readonly file: string;
  private readonly program: string;

  constructor(folder: string) {
    this.file = join(folder, 'die-at-step');
    this.program = join(folder, 'die-at-step.mjs');
    writeFileSync(this.program, PROGRAM);
  }

  get agentSettings(): Record<string, string> {
    return { NODE_OPTIONS: `--import ${this.program}`, TEST_STEP_FILE: this.file };
  }

  /** Kills the next agent that reaches the step. */
  arm(step: string): void {
    writeFileSync(this.file, step);
  }

  async happened(): Promise<void> {
    await waitFor('an agent to die', () => Promise.resolve(!existsSync(this.file)), 90_000);
  }
}

const PROGRAM = `
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, rmSync } from 'node:fs';
const file = process.env.TEST_STEP_FILE;
const wanted = () => { try { return readFileSync(file, 'utf8'); } catch { return undefined; } };
for (const work of ['snapshot', 'sync'])
  subscribe('understudy.' + work + '.step', ({ step }) => {
    if (wanted() !== step) return;
    rmSync(file, { force: true });
    process.kill(process.pid, 'SIGKILL');
  });
`;
