import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';

import { findConnectionFault } from '@understudy/connection-fault';
import { type Outbound, readInfo, serverOf } from '@understudy/outbound';

import { CheckFailure, type CheckReport } from '../check-report.js';

/**
 * Checks the name, TCP and TLS of a server in three steps. Later steps are skipped if an earlier one failed.
 * @param label the subject of the steps
 * @returns whether the server can be reached
 */
export async function checkServer(
  report: CheckReport,
  label: string,
  url: string,
  outbound: Outbound,
): Promise<boolean> {
  const { protocol, host, port } = serverOf(url);
  const proxy = outbound.proxyFor(url);
  const isNamed = await report.step(`${label} name`, () =>
    resolveName(proxy?.host ?? host, proxy !== undefined),
  );
  if (isNamed === undefined) return skipped(report, label, ['TCP', 'TLS'], 'the name cannot be resolved');
  const isOpen = await report.step(`${label} TCP`, async (signal) => {
    (await opened(outbound, url, signal)).destroy();
    const via = proxy === undefined ? '' : ` through the proxy ${proxy.host}:${proxy.port}`;
    return { facts: `${host}:${port} accepts connections${via}`, value: true };
  });
  if (isOpen === undefined) return skipped(report, label, ['TLS'], 'there is no connection');
  if (protocol === 'http:' || protocol === 'nats:') {
    report.skip(`${label} TLS`, 'plain text, which is permitted on loopback only');
    return true;
  }
  const isTrusted = await report.step(`${label} TLS`, (signal) => inspectTls(outbound, url, signal));
  return isTrusted === true;
}

function skipped(report: CheckReport, label: string, steps: readonly string[], because: string): false {
  for (const step of steps) report.skip(`${label} ${step}`, `because ${because}`);
  return false;
}

async function resolveName(host: string, isProxy: boolean): Promise<{ facts: string; value: true }> {
  const subject = isProxy ? `the proxy ${host}` : host;
  if (isIP(host) !== 0) return { facts: `${subject} is an address`, value: true };
  const addresses = await lookup(host, { all: true }).catch((error: unknown) => {
    const { code = 'unknown reason' } = error as { code?: string };
    throw new CheckFailure(
      `${subject} cannot be resolved (${code})`,
      'check the spelling of the name and the DNS of this machine',
    );
  });
  const shown = addresses.slice(0, MOST_SHOWN).map(({ address }) => address);
  return { facts: `${subject} resolves to ${shown.join(', ')}`, value: true };
}

async function opened(outbound: Outbound, url: string, signal: AbortSignal): Promise<Socket> {
  return outbound.openSocket(url, signal).catch(async () => {
    throw await failureOf(outbound, url);
  });
}

async function inspectTls(outbound: Outbound, url: string, signal: AbortSignal) {
  const { protocol, host } = serverOf(url);
  const socket = await opened(outbound, url, signal);
  try {
    if (protocol === 'tls:') await readInfo(socket, signal);
    const encrypted = connectTls({
      ...outbound.trust(),
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: true,
    });
    await once(encrypted, 'secureConnect', { signal });
    const certificate = encrypted.getPeerCertificate();
    const warning = expiryWarning(certificate, Date.now());
    return {
      facts: `${encrypted.getProtocol() ?? 'TLS'}, certificate for ${namesOf(certificate)}, issuer ${issuerOf(certificate)}, valid until ${shown(certificate.valid_to)}`,
      value: true as const,
      ...(warning === undefined ? {} : { warning }),
    };
  } catch (error) {
    if (error instanceof CheckFailure) throw error;
    throw await failureOf(outbound, url);
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

/** Explains why the server cannot be reached. */
async function failureOf(outbound: Outbound, url: string): Promise<CheckFailure> {
  const { host, port } = serverOf(url);
  const fault = await findConnectionFault(outbound, url, { timeoutMs: 5_000 });
  const [cause = '', ...remedy] = (fault?.message ?? 'the connection failed; try again').split('; ');
  return new CheckFailure(`${host}:${port}: ${cause}`, remedy.join('; ') || 'look at the log of the server');
}

function expiryWarning({ valid_to: validTo }: PeerCertificate, nowMs: number): string | undefined {
  const days = Math.floor((Date.parse(validTo) - nowMs) / 86_400_000);
  return days < WARN_DAYS ? `renew the certificate: it expires in ${days} days` : undefined;
}

function namesOf({ subjectaltname = '' }: PeerCertificate): string {
  const names = subjectaltname.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''));
  return shown(names.slice(0, MOST_SHOWN).join(', ')) || 'no name';
}

function issuerOf({ issuer }: PeerCertificate): string {
  return `"${shown([issuer.CN ?? issuer.O ?? ''].flat()[0] ?? '')}"`;
}

/** Returns a text that a server chose, without control characters and shortened. */
function shown(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}

const MOST_SHOWN = 8;
const WARN_DAYS = 14;
