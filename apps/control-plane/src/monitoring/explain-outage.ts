import { findConnectionFault, networkFault, silentFault } from '@understudy/connection-fault';
import { Outbound, type OutboundSettings } from '@understudy/outbound';

import type { DatabaseConfiguration, RedisConfiguration } from '../platform/config/configuration.js';
import { readDatabaseUrl } from '../platform/config/service-encryption.js';

/**
 * Explains why PostgreSQL does not respond. Opens a TCP connection to find the cause. If this succeeds, the cause is in
 * the error of the driver.
 * @param error undefined if there was no response in time
 * @returns a sentence with host, port, cause and remedy
 */
export async function explainDatabase(
  { url, outbound }: DatabaseConfiguration,
  error: unknown,
): Promise<string> {
  const { host } = readDatabaseUrl(url);
  if (host.startsWith('/')) return `cannot reach PostgreSQL at its Unix socket: ${driverFault(error)}`;
  const server = `${bracketed(host)}:${new URL(url).port || 5432}`;
  return `cannot reach ${server}: ${(await probe(`http://${server}`, outbound)) ?? driverFault(error)}`;
}

/**
 * Explains why Redis does not respond. Opens a TCP connection, and TLS for `rediss://`, to find the cause.
 * @returns a sentence with host, port, cause and remedy
 */
export async function explainRedis({ url, outbound }: RedisConfiguration): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  const server = `${hostname}:${port || 6379}`;
  const fault = await probe(`${protocol === 'rediss:' ? 'https' : 'http'}://${server}`, outbound);
  return `cannot reach ${server}: ${fault ?? 'the server accepts connections, but did not respond as expected; check the password, and the log of Redis'}`;
}

/** Returns the fault of a connection without a proxy, which no driver uses. */
async function probe(url: string, settings?: OutboundSettings): Promise<string | undefined> {
  const outbound = new Outbound({ ...settings, noProxy: '*' });
  return (await findConnectionFault(outbound, url, { timeoutMs: PROBE_MS }))?.message;
}

/** Returns the cause of an error that the driver of PostgreSQL has thrown, without the text of the server. */
function driverFault(error: unknown): string {
  const code = String((error as { code?: unknown } | undefined)?.code ?? '');
  const text = error instanceof Error ? error.message : '';
  if (error === undefined || text === 'timeout exceeded when trying to connect') return silentFault().message;
  if (text === 'The server does not support SSL connections')
    return 'the server does not use TLS; enable it there, or permit plaintext with sslmode=disable and UNDERSTUDY_ALLOW_PLAINTEXT';
  if (/CERT|SIGNATURE|ISSUER/.test(code))
    return `the certificate is not accepted (${code}); check its name and its time, and set UNDERSTUDY_CA_FILE to a file with the certificate of its issuer`;
  if (/^[0-9A-Z]{5}$/.test(code) && /\d/.test(code))
    return `the server refused the connection (SQLSTATE ${code}); see its log`;
  return networkFault(error).message;
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

const PROBE_MS = 2_000;
