import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';

import { CheckFailure, type CheckReport } from '@understudy/operator-commands';

import type { Configuration } from '../../../platform/config/configuration.js';

/** Checks that the two listeners can use their ports, or that a control plane uses them already. */
export async function checkPorts(report: CheckReport, { http, ops }: Configuration): Promise<void> {
  const protocol = http.certificate === undefined ? 'http' : 'https';
  await checkPort(report, 'API port', { ...http, protocol, variable: 'UNDERSTUDY_PORT' });
  await checkPort(report, 'operations port', { ...ops, protocol: 'http', variable: 'UNDERSTUDY_OPS_PORT' });
}

interface Listener {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
  readonly variable: string;
}

async function checkPort(report: CheckReport, step: string, listener: Listener): Promise<void> {
  const { host, port, protocol, variable } = listener;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  await report.step(step, async (signal) => {
    const code = await listenError(host, port);
    if (code === undefined) return { facts: `${address} is free`, value: undefined };
    if (code === 'EADDRINUSE' && (await isControlPlane(`${protocol}://${address}/readyz`, signal)))
      return { facts: `a control plane runs on ${address}`, value: undefined };
    if (code === 'EADDRINUSE')
      throw new CheckFailure(
        `another program uses ${address}`,
        `stop that program, or set ${variable} to another port`,
      );
    if (code === 'EACCES')
      throw new CheckFailure(
        `this user may not listen on ${address}`,
        `set ${variable} to a port from 1024 on, and let a reverse proxy use the other one`,
      );
    throw new CheckFailure(
      `cannot listen on ${address} (${code})`,
      `set ${variable.replace('PORT', 'HOST')} to an address of this machine`,
    );
  });
}

/** @returns the code of the error, or undefined if the port can be used */
function listenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: { code?: string }) => resolve(error.code ?? 'unknown reason'));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function isControlPlane(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const body = await readJson(url, AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
    const services = (body as { services?: Record<string, unknown> } | null)?.services;
    return ['postgres', 'redis', 'nats'].every((name) => services !== undefined && name in services);
  } catch {
    return false; // another program, which does not respond as a control plane does
  }
}

/** The request contains no secret, so the certificate of the server is not verified. */
function readJson(url: string, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const receive = (response: IncomingMessage): void => void json(response).then(resolve, reject);
    const request = url.startsWith('https:')
      ? getHttps(url, { signal, rejectUnauthorized: false }, receive)
      : getHttp(url, { signal }, receive);
    request.once('error', reject);
  });
}

const PROBE_MS = 3_000;
