import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { freePort } from '@understudy/stack';

import type { Peer } from '../api/peer-process.js';

/**
 * Installed for the run alone: the tree of prism is larger than our own, reports its installations home (so its scripts are
 * not run), and pins what the rest of the lock file would have to give way to.
 */
const PACKAGES = ['@stoplight/prism-cli@5.16.0', 'json-server@0.17.4'];
const INSTALL_MS = 300_000;
const READY_MS = 60_000;

const run = promisify(execFile);

/** @param folder empty; they stay in it */
export async function installPeers(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...PACKAGES];
  await run('npm', args, { cwd: folder, timeout: INSTALL_MS });
}

/** @param document OpenAPI; the examples and schemas of its `/` are what it answers with, made anew for each call */
export function startPrism(folder: string, document: object): Promise<Peer> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return start(folder, '@stoplight/prism-cli/dist/index.js', '/', (port) => [
    ...['mock', '--dynamic', '--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'silent'],
    file,
  ]);
}

/** @param records what it answers with, the same each time */
export function startJsonServer(folder: string, records: unknown): Promise<Peer> {
  const file = join(folder, 'database.json');
  writeFileSync(file, JSON.stringify({ persons: records }));
  return start(folder, 'json-server/lib/cli/bin.js', '/persons', (port) => [
    ...['--quiet', '--host', '127.0.0.1', '--port', String(port)],
    file,
  ]);
}

async function start(
  folder: string,
  program: string,
  path: string,
  argsAt: (port: number) => readonly string[],
): Promise<Peer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${path}`;
  const script = join(folder, 'node_modules', program);
  const child = spawn(process.execPath, [script, ...argsAt(port)], { cwd: folder, stdio: 'ignore' });
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`${program} ended before it listened`)),
  );
  ended.catch(() => undefined);
  await Promise.race([untilAnswered(url), ended]);
  return { url, stop: () => void child.kill() };
}

async function untilAnswered(url: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`no answer from a peer within ${READY_MS / 1000} s`);
}
