import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ConfigurationError } from '../config/agent-configuration.js';

/** The keys of a snapshot store: first the key that seals new archives, then older keys. */
export type SnapshotKeys = readonly [Uint8Array, ...Uint8Array[]];

const KEY = /^[0-9a-f]{64}$/i;

/**
 * Reads the keys from a file with one hexadecimal key per line, the newest key first. If no file is
 * configured, reads `snapshot.key` in the state folder. Creates this file with a random key if it is missing.
 * @throws ConfigurationError if the file cannot be read or a key is invalid; the message does not quote the
 * file
 */
export async function readSnapshotKeys(stateDir: string, keyFile: string | undefined): Promise<SnapshotKeys> {
  const path = keyFile ?? join(stateDir, 'snapshot.key');
  const text = keyFile === undefined ? await readOrMake(path) : await read(path);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [current, ...older] = lines.map((line) => new Uint8Array(Buffer.from(line.trim(), 'hex')));
  if (current === undefined || lines.some((line) => !KEY.test(line.trim())))
    throw unusable('expected 64 hexadecimal digits on each line of the file');
  return [current, ...older];
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw unusable(`the file cannot be read (${(error as { code?: string }).code ?? 'unknown reason'})`);
  });
}

async function readOrMake(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(32).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  return read(path);
}

function unusable(reason: string): ConfigurationError {
  return new ConfigurationError('The agent cannot use this snapshot key', [
    `UNDERSTUDY_AGENT_SNAPSHOT_KEY_FILE: ${reason}; create a key with: openssl rand -hex 32`,
  ]);
}
