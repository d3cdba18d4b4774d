import type { Outbound } from '@understudy/outbound';

import type { AgentConfiguration } from '../../../config/agent-configuration.js';
import { CheckFailure, type CheckReport } from '@understudy/operator-commands';
import { checkServer } from './server.js';

/** Checks the connection to the control plane, that its API responds, and the difference of the clocks. */
export async function checkControlPlane(
  report: CheckReport,
  { controlUrl }: AgentConfiguration,
  outbound: Outbound,
): Promise<boolean> {
  const isReached = await checkServer(report, 'control plane', controlUrl, outbound);
  if (!isReached) {
    for (const step of ['control plane API', 'clock'])
      report.skip(step, 'because the control plane cannot be reached');
    return false;
  }
  const response = await report.step('control plane API', (signal) =>
    requestApi(outbound, controlUrl, signal),
  );
  if (response === undefined) report.skip('clock', 'because the API does not respond');
  else await report.step('clock', () => Promise.resolve(compareClocks(response)));
  return response !== undefined;
}

interface ApiResponse {
  readonly date: string | null;
  readonly receivedAtMs: number;
}

/** Sends a request without a token. The API refuses it in its own envelope, which no other server has. */
async function requestApi(
  outbound: Outbound,
  controlUrl: string,
  signal: AbortSignal,
): Promise<{ facts: string; value: ApiResponse }> {
  const response = await outbound.fetch(`${controlUrl}/agents`, { signal });
  const receivedAtMs = Date.now();
  const text = await response.text();
  if (!isEnvelope(text)) throw noApi(response.status);
  const value = { date: response.headers.get('date'), receivedAtMs };
  return { facts: 'the API of the control plane responds', value };
}

function isEnvelope(text: string): boolean {
  if (text.length > LARGEST_BODY) return false;
  try {
    const body = JSON.parse(text) as { error?: { code?: unknown } } | null;
    return body?.error?.code === 'unauthorized' || body?.error?.code === 'rate_limit_exceeded';
  } catch {
    return false; // an HTML page of a proxy
  }
}

function noApi(status: number): CheckFailure {
  return new CheckFailure(
    `status ${status}, and the response is not from the API of a control plane`,
    status >= 500
      ? 'a reverse proxy responds, but the control plane behind it does not; start the control plane'
      : 'check that UNDERSTUDY_CONTROL_URL ends with /v1',
  );
}

function compareClocks({ date, receivedAtMs }: ApiResponse) {
  const aheadMs = receivedAtMs - Date.parse(date ?? '');
  if (Number.isNaN(aheadMs))
    throw new CheckFailure('the response has no valid Date header', 'let the reverse proxy pass it on');
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const facts =
    seconds <= 2
      ? 'the clocks agree'
      : `this clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the control plane's`;
  if (Math.abs(aheadMs) > TOLERANCE_MS)
    throw new CheckFailure(facts, 'correct the clock, for example with NTP; the limit is 60 s');
  return {
    facts,
    value: undefined,
    ...(seconds > WARN_SECONDS ? { warning: 'correct the clock, for example with NTP' } : {}),
  };
}

/** The control plane refuses the requests of an agent whose clock differs by more than this. */
const TOLERANCE_MS = 60_000;
const WARN_SECONDS = 10;
const LARGEST_BODY = 100_000;
