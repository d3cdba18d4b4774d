import { readFile } from 'node:fs/promises';

import { ConfigurationError } from '../config/agent-configuration.js';

const KEY = /^[0-9a-f]{64}\s*$/i;

/**
 * The masking key that a customer gives to a group of agents: 32 bytes in hexadecimal, as `openssl rand -hex 32` writes them.
 * @throws ConfigurationError that does not quote the file
 */
export async function readMaskingKey(file: string | undefined): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(`the file cannot be read (${(error as { code?: string }).code ?? 'unknown reason'})`);
  });
  if (!KEY.test(text)) throw unusable('the file does not hold 64 hexadecimal digits');
  return new Uint8Array(Buffer.from(text.trim(), 'hex'));
}

function unusable(reason: string): ConfigurationError {
  return new ConfigurationError('The agent cannot start with this masking key', [
    `UNDERSTUDY_AGENT_MASKING_KEY_FILE: ${reason}; make one with: openssl rand -hex 32`,
  ]);
}
