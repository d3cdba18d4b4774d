import { readFile } from 'node:fs/promises';

import { ConfigurationError } from '../config/agent-configuration.js';

const KEY = /^[0-9a-f]{64}\s*$/i;

/**
 * Reads the masking key that a group of agents shares: 32 bytes in hexadecimal, as `openssl rand -hex 32`
 * prints them. Returns undefined if no file is configured.
 * @throws ConfigurationError if the file cannot be read or contains no valid key; the message does not quote
 * the file
 */
export async function readMaskingKey(file: string | undefined): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(`the file cannot be read (${(error as { code?: string }).code ?? 'unknown reason'})`);
  });
  if (!KEY.test(text)) throw unusable('expected 64 hexadecimal digits in the file');
  return new Uint8Array(Buffer.from(text.trim(), 'hex'));
}

function unusable(reason: string): ConfigurationError {
  return new ConfigurationError('The agent cannot use this masking key', [
    `UNDERSTUDY_AGENT_MASKING_KEY_FILE: ${reason}; create a key with: openssl rand -hex 32`,
  ]);
}
