import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { generateNatsSeeds, type NatsSeeds } from '@understudy/nats-trust';
import type { ProcessIdentity } from '../processes/process-identity.js';
import { StackError } from '../stack-error.js';

/** What a stack remembers between two calls: state.json in its folder, readable by its owner only. */
export interface StackState {
  readonly version: 1;
  readonly secrets: {
    readonly postgresPassword: string;
    readonly controlDatabasePassword: string;
    readonly redisPassword: string;
    readonly opsPassword: string;
    readonly nats: NatsSeeds;
  };
  /** Taken again at the next start, where they are still free. */
  ports: { postgres?: number; redis?: number; nats?: number; controlPlane?: number; ops?: number };
  /** Only services of our own. */
  processes: { [name in ProcessName]?: StackProcess | undefined };
  organization?: { readonly id: string; readonly apiToken: string; readonly plan: string };
  agentEnrolled?: boolean;
  /** Of the server for source and target databases; may be the environment's. */
  databasesUrl?: string;
}

export type ProcessName = 'postgres' | 'redis' | 'nats' | 'control-plane' | 'agent';

export interface StackProcess extends ProcessIdentity {
  readonly url?: string;
  /** Hash of how it was started: when that would differ now (another port), it is started anew. */
  readonly startedWith?: string;
}

export function newState(): StackState {
  return {
    version: 1,
    secrets: {
      postgresPassword: secret(),
      controlDatabasePassword: secret(),
      redisPassword: secret(),
      opsPassword: secret(),
      nats: generateNatsSeeds(),
    },
    ports: {},
    processes: {},
  };
}

/** @returns undefined when there was never a stack in this folder */
export function readState(folder: string): StackState | undefined {
  let text: string;
  try {
    text = readFileSync(stateFile(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(folder, error);
  }
  try {
    const state = JSON.parse(text) as StackState;
    if (state.version !== 1) throw new Error(`version ${String(state.version)} is not 1`);
    return withAgentAccount(state);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** A stack of an earlier version has three seeds; its control plane pushes the fourth's account to the server. */
function withAgentAccount(state: StackState): StackState {
  const { nats } = state.secrets;
  const { agentAccount } = nats as Partial<NatsSeeds>;
  if (agentAccount !== undefined) return state;
  const fresh = { ...nats, agentAccount: generateNatsSeeds().agentAccount };
  return { ...state, secrets: { ...state.secrets, nats: fresh } };
}

/** Replaces the file at once, so that a crash leaves the old or the new one. */
export function writeState(folder: string, state: StackState): void {
  mkdirSync(folder, { recursive: true });
  const draft = `${stateFile(folder)}.new`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  chmodSync(draft, 0o600);
  renameSync(draft, stateFile(folder));
}

function stateFile(folder: string): string {
  return join(folder, 'state.json');
}

function unreadable(folder: string, cause: unknown): StackError {
  return new StackError(
    'state.unreadable',
    `${stateFile(folder)} cannot be read as the state of a stack`,
    'use another --data-dir, or move this folder away to start afresh',
    { cause },
  );
}

/** Hexadecimal: fits into URLs and configuration files as it is. */
function secret(): string {
  return randomBytes(16).toString('hex');
}
