import { isIP } from 'node:net';

import {
  type ConnectionCause,
  probeServer,
  type ServerProbe,
  type TlsFacts,
} from '@understudy/connection-fault';
import type { Outbound } from '@understudy/outbound';

import { CheckFailure, type CheckReport } from '@understudy/operator-commands';

/**
 * Checks the name, TCP and TLS of a server, with one connection. If one of them fails, the later ones are skipped.
 * @param label the subject of the steps
 * @returns whether the server can be reached
 */
export async function checkServer(
  report: CheckReport,
  label: string,
  url: string,
  outbound: Outbound,
): Promise<boolean> {
  let probe: ServerProbe | undefined;
  const steps = { name: `${label} name`, tcp: `${label} TCP`, tls: `${label} TLS` };
  const isNamed = await report.step(steps.name, async () => {
    probe = await probeServer(outbound, url, { timeoutMs: PROBE_STEP_MS });
    if (probe.fault?.cause === 'name_not_found') throw failureOf(probe);
    return { facts: nameFacts(probe), value: true };
  });
  if (isNamed === undefined || probe === undefined) {
    report.skip(steps.tcp, 'because the name cannot be resolved');
    report.skip(steps.tls, 'because the name cannot be resolved');
    return false;
  }
  const { host, port, proxy, tls, fault, connected } = probe;
  if (!connected) {
    const { facts, remedy } = failureOf(probe);
    report.fail(steps.tcp, facts, remedy);
    report.skip(steps.tls, 'because there is no connection');
    return false;
  }
  const via = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  report.ok(steps.tcp, `${host}:${port} accepts connections${via}`);
  if (fault !== undefined) {
    const { facts, remedy } = failureOf(probe);
    report.fail(AFTER_TLS.has(fault.cause) ? `${label} WebSocket` : steps.tls, facts, remedy);
    return false;
  }
  if (tls !== undefined) reportTls(report, steps.tls, tls);
  else report.skip(steps.tls, 'plain text, which is permitted on loopback only');
  return true;
}

function nameFacts({ host, proxy, addresses }: ServerProbe): string {
  if (proxy !== undefined) return `the proxy ${proxy} resolves ${host}`;
  if (isIP(host) !== 0) return `${host} is an address`;
  return `${host} resolves to ${addresses.slice(0, MAX_SHOWN).join(', ')}`;
}

function reportTls(
  report: CheckReport,
  step: string,
  { protocol, names, issuer, validUntil }: TlsFacts,
): void {
  const facts = `${protocol}, certificate for ${names}, issuer "${issuer}", valid until ${validUntil.toISOString()}`;
  const days = Math.floor((validUntil.getTime() - Date.now()) / 86_400_000);
  if (days >= WARN_DAYS) report.ok(step, facts);
  else report.warn(step, facts, `renew the certificate: it expires in ${days} days`);
}

/** Separates the cause of a fault from its remedy. */
function failureOf({ host, port, fault }: ServerProbe): CheckFailure {
  return CheckFailure.from(`${host}:${port}: ${fault?.message ?? 'the connection failed'}`);
}

const AFTER_TLS: ReadonlySet<ConnectionCause> = new Set(['no_websocket']);
const PROBE_STEP_MS = 4_000;
const MAX_SHOWN = 8;
const WARN_DAYS = 14;
