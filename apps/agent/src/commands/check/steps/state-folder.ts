import { constants } from 'node:fs';
import { access, open, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { AgentConfiguration } from '../../../config/agent-configuration.js';
import { ConfigurationError } from '../../../config/environment.js';
import { IdentityStore, type StoredIdentity } from '../../../identity/identity-store.js';
import { type AgentStatus, readStatus } from '../../../operator/status-file.js';
import { judgeStatus } from '../../status/describe-status.js';
import { CheckFailure, type CheckReport } from '@understudy/operator-commands';

/** The facts about the agent that the state folder contains. */
export interface FolderState {
  /** The status of the agent that runs on the folder; undefined if none runs. */
  readonly running: AgentStatus | undefined;
  readonly identity: StoredIdentity | undefined;
}

/** Checks the state folder, its free space and the identity in it. Does not create the folder. */
export async function checkStateFolder(
  report: CheckReport,
  { stateDir, minFreeDiskBytes }: AgentConfiguration,
): Promise<FolderState> {
  const running = await findRunningAgent(stateDir);
  const exists = await report.step('state folder', async () => {
    const facts = await stat(stateDir).catch((error: unknown) => undefinedIfMissing(error));
    if (facts === undefined) return { facts: await creatable(stateDir), value: false };
    if (!facts.isDirectory())
      throw new CheckFailure('UNDERSTUDY_AGENT_STATE_DIR is not a folder', 'name a folder');
    await probeWrite(stateDir);
    const owner = running === undefined ? 'no agent runs on it' : `process ${running.pid} runs on it`;
    const isPrivate = (facts.mode & 0o077) === 0;
    return {
      facts: `writable, ${owner}`,
      value: true,
      ...(isPrivate ? {} : { warning: 'other users can enter the folder; run chmod 700 on it' }),
    };
  });
  await checkFreeSpace(report, stateDir, minFreeDiskBytes);
  const identity = exists === true ? await readIdentity(report, stateDir) : undefined;
  return { running, identity };
}

async function findRunningAgent(stateDir: string): Promise<AgentStatus | undefined> {
  const status = await readStatus(stateDir).catch(() => undefined); // the next step reports the reason
  return judgeStatus(status, new Date()).name === 'not_running' ? undefined : status;
}

/** Checks that the missing folder can be created. */
async function creatable(stateDir: string): Promise<string> {
  const parent = await nearestFolder(stateDir);
  try {
    await access(parent, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new CheckFailure(
      `does not exist and cannot be created by this user (${codeOf(error)})`,
      'create it with mode 0700 for the user of the agent',
    );
  }
  return 'does not exist yet; the agent creates it';
}

async function probeWrite(folder: string): Promise<void> {
  const path = join(folder, `.check-${process.pid}`);
  try {
    await (await open(path, 'wx', 0o600)).close();
    await rm(path);
  } catch (error) {
    throw new CheckFailure(
      `cannot be written by this user (${codeOf(error)})`,
      WRITE_REMEDIES[codeOf(error)] ?? OWNER,
    );
  }
}

async function checkFreeSpace(report: CheckReport, stateDir: string, floorBytes: number): Promise<void> {
  await report.step('free space', async () => {
    const { bavail, bsize } = await statfs(await nearestFolder(stateDir));
    const [free, floor] = [bavail * bsize, floorBytes].map((bytes) => Math.floor(bytes / 1_000_000));
    if (bavail * bsize < floorBytes)
      throw new CheckFailure(
        `${free} MB are free for the state folder, fewer than UNDERSTUDY_AGENT_MIN_FREE_DISK_MB (${floor})`,
        'free some space; until then the agent accepts no work',
      );
    return { facts: `${free} MB are free for the state folder`, value: undefined };
  });
}

function readIdentity(report: CheckReport, stateDir: string): Promise<StoredIdentity | undefined> {
  return report.step('identity file', async () => {
    const identity = await new IdentityStore(stateDir).load().catch((error: unknown) => {
      if (error instanceof ConfigurationError)
        throw new CheckFailure('identity.json is damaged', 'restore it from the backup of the state folder');
      throw new CheckFailure(`identity.json cannot be read (${codeOf(error)})`, OWNER);
    });
    const facts =
      identity?.agentId === undefined ? 'the agent is not enrolled yet' : `enrolled as ${identity.agentId}`;
    return { facts, value: identity };
  });
}

async function nearestFolder(path: string): Promise<string> {
  const facts = await stat(path).catch(() => undefined); // missing, or in a folder that cannot be entered
  const parent = dirname(path);
  return facts !== undefined || parent === path ? path : nearestFolder(parent);
}

function undefinedIfMissing(error: unknown): undefined {
  const code = codeOf(error);
  if (code === 'ENOENT') return undefined;
  throw new CheckFailure(`cannot be read by this user (${code})`, OWNER);
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? 'unknown reason';
}

const OWNER = 'run the command as the user of the agent, or change the owner of the folder';
const WRITE_REMEDIES: Readonly<Record<string, string>> = {
  EROFS: 'the file system is read-only; mount it writable',
};
