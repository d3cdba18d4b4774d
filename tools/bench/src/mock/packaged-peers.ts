import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort, waitUntilReady } from '@understudy/local-system';

import type { Peer } from '../api/peer-process.js';

/**
 * Packages that are installed only for the run. The reason is prism: it has more dependencies than this
 * repository, and it pins versions that conflict with the lock file of this repository. Install scripts are
 * not run, because those of prism report the installation to its vendor.
 */
const PACKAGES = ['@stoplight/prism-cli@5.16.0', 'json-server@0.17.4'];
const INSTALL_MS = 300_000;

const run = promisify(execFile);

/** Installs the peers. @param folder an empty folder; the peers stay in it */
export async function installPeers(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...PACKAGES];
  await run('npm', args, { cwd: folder, timeout: INSTALL_MS });
}

/**
 * Starts prism.
 * @param document OpenAPI document. prism builds each response for `/` from the examples and schemas in it
 */
export function startPrism(folder: string, document: object): Promise<Peer> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  return start(folder, '@stoplight/prism-cli/dist/index.js', '/', (port) => [
    ...['mock', '--dynamic', '--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'silent'],
    file,
  ]);
}

/** Starts json-server. @param records the content of every response */
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
    Promise.reject(new Error(`${program} exited before it listened`)),
  );
  ended.catch(() => undefined);
  await Promise.race([waitUntilReady(() => expectResponse(url)), ended]);
  return { url, stop: () => void child.kill() };
}

async function expectResponse(url: string): Promise<void> {
  const { ok, status } = await fetch(url);
  if (!ok) throw new Error(`GET ${url} returned ${status}`);
}
