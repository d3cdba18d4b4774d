import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { generateNatsSeeds, type NatsSeeds } from '@understudy/agent-protocol/nats-trust';
import type { ProcessIdentity } from '../processes/process-identity.js';
import { LocalSystemError } from '../local-system-error.js';
import { replaceFile } from '../replace-file.js';

/** State of a system, which is kept in state.json in its folder. Only the owner of the file can read it. */
export interface SystemState {
  readonly version: 1;
  readonly secrets: {
    readonly postgresPassword: string;
    readonly databasesPassword: string;
    readonly controlDatabasePassword: string;
    readonly redisPassword: string;
    readonly opsPassword: string;
    readonly nats: NatsSeeds;
  };
  /** Ports that the next start uses again if they are free. */
  ports: { postgres?: number; redis?: number; nats?: number; controlPlane?: number; ops?: number };
  /** Only services that the system started. */
  processes: { [name in ProcessName]?: SystemProcess | undefined };
  organization?: { readonly id: string; readonly apiToken: string; readonly plan: string };
  /** URL of the server for source and target databases, without a database name. */
  databasesUrl?: string;
}

export type ProcessName = 'postgres' | 'redis' | 'nats' | 'control-plane' | 'agent';

export interface SystemProcess extends ProcessIdentity {
  readonly url?: string;
  /**
   * Hash of the settings with which the process was started. If the hash differs at the next start, the
   * process is restarted.
   */
  readonly startedWith?: string;
}

export function newState(): SystemState {
  return {
    version: 1,
    secrets: {
      postgresPassword: secret(),
      databasesPassword: secret(),
      controlDatabasePassword: secret(),
      redisPassword: secret(),
      opsPassword: secret(),
      nats: generateNatsSeeds(),
    },
    ports: {},
    processes: {},
  };
}

/**
 * @returns undefined if no system was ever started in this folder
 * @throws LocalSystemError if another user started it: files of two users in one folder would exclude both
 */
export function readState(folder: string): SystemState | undefined {
  const owner = statSync(stateFile(folder), { throwIfNoEntry: false })?.uid;
  const user = process.getuid?.();
  if (owner !== undefined && owner !== user)
    throw new LocalSystemError(
      'configuration.invalid',
      `expected a folder of this user (id ${user}), but user ${owner} has started the system in ${folder}`,
      'run the command as that user, or use another folder',
    );
  let text: string;
  try {
    text = readFileSync(stateFile(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(folder, error);
  }
  try {
    const state = JSON.parse(text) as SystemState;
    if (state.version !== 1) throw new Error(`expected version 1, found ${String(state.version)}`);
    return withNewSecrets(state);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/**
 * Adds the secrets that a state of an earlier version lacks. The control plane pushes the agents' NATS account to the
 * NATS server.
 */
function withNewSecrets(state: SystemState): SystemState {
  const {
    databasesPassword = secret(),
    nats,
    ...others
  } = state.secrets as Partial<SystemState['secrets']> & SystemState['secrets'];
  const { agentAccount = generateNatsSeeds().agentAccount } = nats as Partial<NatsSeeds>;
  return { ...state, secrets: { ...others, databasesPassword, nats: { ...nats, agentAccount } } };
}

export function writeState(folder: string, state: SystemState): void {
  mkdirSync(folder, { recursive: true });
  replaceFile(stateFile(folder), `${JSON.stringify(state, null, 2)}\n`);
}

function stateFile(folder: string): string {
  return join(folder, 'state.json');
}

function unreadable(folder: string, cause: unknown): LocalSystemError {
  return new LocalSystemError(
    'state.unreadable',
    `${stateFile(folder)} is not a valid state of a local system`,
    'use another folder, or move this folder away to begin again',
    { cause },
  );
}

/** @returns a secret of hexadecimal digits, which fits into URLs and configuration files without quoting */
function secret(): string {
  return randomBytes(16).toString('hex');
}
