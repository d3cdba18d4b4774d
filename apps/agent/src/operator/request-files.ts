import { randomUUID } from 'node:crypto';
import { lstat, mkdir, opendir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readSmallFile } from './small-file.js';

/**
 * Files with which a command asks the running agent to cancel work, in the folder `requests` of the state folder. The
 * command writes `<uuid>.request`. The agent removes this file when it accepts the request, and writes `<uuid>.outcome`
 * when the work has ended. No network is needed.
 */
export interface CancelRequest {
  readonly id: string;
  readonly workId: string;
}

/** Matches the id of a sync job, snapshot or restore. */
export const WORK_ID = /^[A-Za-z0-9_]{1,64}$/;

/** Writes a request. @returns its id */
export async function writeCancelRequest(stateDir: string, workId: string): Promise<string> {
  await mkdir(folderOf(stateDir), { recursive: true, mode: 0o700 });
  const id = randomUUID();
  await replaceFile(pathOf(stateDir, id, 'request'), { cancel: workId });
  return id;
}

/**
 * Lists the requests in the folder.
 * @param ignore receives the name of each file that is not a request, and the reason
 */
export async function listCancelRequests(
  stateDir: string,
  ignore: (name: string, reason: string) => void,
): Promise<CancelRequest[]> {
  const requests: CancelRequest[] = [];
  let entries = 0;
  for await (const { name } of await opendir(folderOf(stateDir))) {
    entries += 1;
    if (entries > MAX_ENTRIES) break;
    const [id = '', kind] = ID_AND_KIND.exec(name)?.slice(1) ?? [];
    if (kind === 'request') {
      const workId = await readWorkId(join(folderOf(stateDir), name));
      if (workId === undefined) ignore(name, 'expected a small file with the id of a job');
      else requests.push({ id, workId });
    } else if (kind === undefined) ignore(name, 'expected the name of a request');
  }
  return requests;
}

/** Removes a request. Until then, the command that wrote it can withdraw it. @returns false if it was withdrawn */
export async function removeRequest(stateDir: string, id: string): Promise<boolean> {
  return rm(pathOf(stateDir, id, 'request')).then(
    () => true,
    () => false,
  );
}

/** Records how the work ended: `completed`, the code of its failure, or `unknown_job`. */
export async function writeOutcome(stateDir: string, id: string, outcome: string): Promise<void> {
  await replaceFile(pathOf(stateDir, id, 'outcome'), { outcome });
}

/** Returns the outcome of a request and removes its file. Returns undefined if there is none yet. */
export async function takeOutcome(stateDir: string, id: string): Promise<string | undefined> {
  const path = pathOf(stateDir, id, 'outcome');
  const file = (await readSmallFile(path, LARGEST_FILE)) as { outcome?: unknown } | undefined;
  if (typeof file?.outcome !== 'string') return undefined;
  await rm(path, { force: true });
  return WORK_ID.test(file.outcome) ? file.outcome : undefined;
}

/** Creates the folder, and removes the files that are older than a minute, because no command waits for them. */
export async function sweepRequests(stateDir: string, now: Date): Promise<void> {
  const folder = folderOf(stateDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let entries = 0;
  for await (const { name } of await opendir(folder)) {
    entries += 1;
    if (entries > MAX_ENTRIES) break;
    if (!ID_AND_KIND.test(name)) continue;
    const path = join(folder, name);
    const age = await lstat(path).then(
      ({ mtimeMs }) => now.getTime() - mtimeMs,
      () => 0,
    );
    if (age > KEPT_MS) await rm(path, { force: true }).catch(() => undefined); // a folder with this name does no harm
  }
}

async function readWorkId(path: string): Promise<string | undefined> {
  const file = await readSmallFile(path, LARGEST_FILE).catch(() => undefined);
  const workId = (file as { cancel?: unknown } | undefined)?.cancel;
  return typeof workId === 'string' && WORK_ID.test(workId) ? workId : undefined;
}

async function replaceFile(path: string, content: object): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function folderOf(stateDir: string): string {
  return join(stateDir, 'requests');
}

function pathOf(stateDir: string, id: string, kind: 'request' | 'outcome'): string {
  return join(folderOf(stateDir), `${id}.${kind}`);
}

const ID_AND_KIND = /^([0-9a-f-]{36})\.(request|outcome|request\.new|outcome\.new)$/;
const LARGEST_FILE = 1_000;
const MAX_ENTRIES = 1_000;
const KEPT_MS = 60_000;
