import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { readSmallFile } from './small-file.js';

/**
 * The state of the running agent, in the file `status.json` of its state folder. The file holds no row data and no secret.
 * All times are ISO 8601 in UTC.
 */
export interface AgentStatus {
  readonly format: 1;
  /** The agent writes the file every two seconds, so an older file means that no agent runs. */
  readonly written_at: string;
  readonly agent_id: string;
  readonly version: string;
  readonly pid: number;
  readonly started_at: string;
  readonly link: LinkStatus;
  /** The last heartbeat to which the control plane replied; null if there was none since the start. */
  readonly last_reply_at: string | null;
  readonly credential_valid_until: string | null;
  readonly free_slots: number;
  readonly slots: number;
  /** Whether the disk of the journal is so full that the agent accepts no work. */
  readonly is_disk_low: boolean;
  readonly jobs: readonly JobStatus[];
}

/** The connection to NATS. */
export interface LinkStatus {
  readonly is_connected: boolean;
  /** When the connection was opened or lost. */
  readonly since: string;
  /** The cause and the remedy while there is no connection; null if they are not known. */
  readonly reason: string | null;
}

export interface JobStatus {
  readonly id: string;
  readonly epoch: number;
  /** When this agent received the job. */
  readonly since: string;
  /** When the job took its snapshot of the source, which holds back vacuum there; null if it holds none. */
  readonly snapshot_since: string | null;
  /** When the last reply renewed the lease of the job. */
  readonly last_renewed_at: string;
  /** When the job stops if no further reply arrives. This time includes the grace period. */
  readonly stops_at: string;
}

/** Replaces the file in one step, so that a reader never sees a part of it. Only the owner may read it. */
export async function writeStatus(stateDir: string, status: AgentStatus): Promise<void> {
  const path = pathOf(stateDir);
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.chmod(0o600); // otherwise a draft that a crash left behind keeps its old mode
    await file.writeFile(`${JSON.stringify(status)}\n`);
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** Removes the file when the agent stops. */
export async function removeStatus(stateDir: string): Promise<void> {
  await rm(pathOf(stateDir), { force: true });
}

/**
 * Reads the file.
 * @returns undefined if there is no file, or if it is not one that an agent has written
 */
export async function readStatus(stateDir: string): Promise<AgentStatus | undefined> {
  const status = (await readSmallFile(pathOf(stateDir), LARGEST_FILE)) as Partial<AgentStatus> | undefined;
  return status?.format === 1 && Number.isFinite(Date.parse(status.written_at ?? ''))
    ? (status as AgentStatus)
    : undefined;
}

function pathOf(stateDir: string): string {
  return join(stateDir, 'status.json');
}

const LARGEST_FILE = 1_000_000;
