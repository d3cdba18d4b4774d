import { randomBytes } from 'node:crypto';

import { explainUnreachable } from '@understudy/connection-fault';
import { keyPairOf } from '@understudy/agent-protocol/nats-trust';
import type { Outbound } from '@understudy/outbound';

export interface AgentCredentials {
  readonly agentId: string;
  readonly organizationId: string;
  readonly natsUrls: readonly string[];
  readonly natsJwt: string;
  readonly expiresAt: Date;
}

/** The form of an enrolment token. */
export const ENROLMENT_TOKEN = /^us_enrol_[A-Za-z0-9_-]{43}$/;

/**
 * The reason why the control plane issued no credentials.
 *
 * - `revoked`: an administrator has revoked this agent. No later request with its keys can succeed.
 * - `superseded`: a newer process uses the identity of this agent.
 * - `clock`: the clock of this machine differs too much from the control plane's.
 * - `unknown`: any other reason, or the control plane was not reached.
 */
export type EnrolmentFailure = 'revoked' | 'superseded' | 'clock' | 'unknown';

/** The control plane returned no credentials. If `refused` is true, a retry with the same keys cannot succeed. */
export class EnrolmentError extends Error {
  readonly code = 'agent.enrolment_failed';
  readonly reason: EnrolmentFailure;
  /** The HTTP status of the response, if there was one. */
  readonly status: number | undefined;

  constructor(
    message: string,
    readonly refused: boolean,
    {
      reason = 'unknown',
      status,
      ...options
    }: ErrorOptions & { readonly reason?: EnrolmentFailure; readonly status?: number } = {},
  ) {
    super(message, options);
    this.name = 'EnrolmentError';
    this.reason = reason;
    this.status = status;
  }
}

/**
 * Enrols the agent: sends the one-time token and the agent's public keys.
 * @throws EnrolmentError
 */
export function enrol(
  outbound: Outbound,
  controlUrl: string,
  agent: { token: string; name: string; natsPublicKey: string; sealingPublicKey: Uint8Array },
): Promise<AgentCredentials> {
  return post(outbound, `${controlUrl}/agents/enroll`, {
    token: agent.token,
    name: agent.name,
    nats_public_key: agent.natsPublicKey,
    sealing_public_key: Buffer.from(agent.sealingPublicKey).toString('base64'),
  });
}

/** The process that requests credentials. */
export interface AgentInstance {
  /** Random text in base64url, different for each process. */
  readonly id: string;
  /** True until the first renewal of the process has succeeded. Older processes of the agent are then disconnected. */
  readonly takesOver: boolean;
}

/**
 * Requests a new JWT for an enrolled agent. The agent's NATS key signs the request, so this also
 * works after the old JWT has expired.
 * @param instance undefined for a program that must not disconnect the agent's process, such as a check
 * @throws EnrolmentError with the reason `superseded` if a newer process of this agent has taken over
 */
export function renew(
  outbound: Outbound,
  controlUrl: string,
  agent: { agentId: string; natsSeed: string },
  instance: AgentInstance | undefined,
  now: Date,
): Promise<AgentCredentials> {
  const nonce = newNonce();
  const issuedAt = now.toISOString();
  const version = instance === undefined ? 'v1' : 'v2';
  const mode = instance?.takesOver === true ? 'take over' : 'continue';
  const lines = [`understudy agent renewal ${version}`, agent.agentId, issuedAt, nonce];
  return post(outbound, `${controlUrl}/agents/renew`, {
    agent_id: agent.agentId,
    issued_at: issuedAt,
    nonce,
    ...(instance === undefined ? {} : { instance: instance.id, take_over: instance.takesOver }),
    signature: signLines(agent.natsSeed, instance === undefined ? lines : [...lines, instance.id, mode]),
  });
}

/** Returns a random text in base64url. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

/** Returns the Ed25519 signature, in base64, of the lines joined by newlines. */
export function signLines(natsSeed: string, lines: readonly string[]): string {
  const message = new TextEncoder().encode(lines.join('\n'));
  return Buffer.from(keyPairOf('user', natsSeed).sign(message)).toString('base64');
}

async function post(
  outbound: Outbound,
  url: string,
  body: Record<string, string | boolean>,
): Promise<AgentCredentials> {
  const response = await outbound
    .fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    .catch(async (cause: unknown) => {
      throw new EnrolmentError(await explainUnreachable(outbound, url), false, { cause });
    });
  if (!response.ok) {
    const reason = await failureOf(response, url);
    throw new EnrolmentError(
      `the control plane returned status ${response.status}${refusalHint(response, reason)}`,
      REFUSALS.has(response.status),
      { reason, status: response.status },
    );
  }
  return readCredentials(await response.json().catch(() => undefined));
}

/**
 * Returns the reason of a refusal. A 403 or 409 counts only if the body is that of the control plane, because a
 * proxy between this machine and the control plane may send these statuses too.
 */
async function failureOf(response: Response, url: string): Promise<EnrolmentFailure> {
  if (response.status === 401) {
    await response.body?.cancel();
    return Math.abs(clockAheadMs(response)) > CLOCK_TOLERANCE_MS ? 'clock' : 'unknown';
  }
  const body: unknown = await response.json().catch(() => undefined); // a proxy may send any text
  const code = (body as { error?: { code?: unknown } } | null | undefined)?.error?.code;
  if (response.status === 403 && code === 'forbidden') return 'revoked';
  if (response.status === 409 && code === 'conflict' && url.endsWith('/renew')) return 'superseded';
  return 'unknown';
}

/** Explains a refusal. Returns an empty text if the status is all that is known. */
function refusalHint(response: Response, reason: EnrolmentFailure): string {
  if (reason === 'revoked') return ': this agent is revoked; enrol it again with a new state folder';
  if (reason === 'superseded')
    return ': another process uses the identity of this agent, for example with a copy of the state folder; this process leaves all jobs to it';
  if (response.status === 404) return ': does UNDERSTUDY_CONTROL_URL end with /v1?';
  if (response.status !== 401) return '';
  const hint = ': the token is unknown, used, expired or revoked, or this agent is unknown';
  if (reason !== 'clock') return hint;
  const aheadMs = clockAheadMs(response);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `${hint}; the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the control plane's; correct it`;
}

/** Returns how far this machine's clock is ahead of the control plane's; NaN if the response has no date. */
function clockAheadMs({ headers }: Response): number {
  return Date.now() - Date.parse(headers.get('date') ?? '');
}

/**
 * Returns the delay before the next attempt in milliseconds. The delay is 2 s after the first refusal and doubles up
 * to a minute. A random part of up to a quarter is subtracted, so that agents do not retry in step.
 *
 * @param refusals number of attempts that the control plane refused in a row. Pass 1 if it was unreachable.
 * @param random a number from 0 to 1
 */
export function retryDelayMs(refusals: number, random = Math.random()): number {
  return Math.min(LONGEST_DELAY_MS, SHORTEST_DELAY_MS * 2 ** (refusals - 1)) * (1 - random / 4);
}

function readCredentials(body: unknown): AgentCredentials {
  const data = (body as { data?: Record<string, unknown> } | undefined)?.data ?? {};
  const { agent_id, organization_id, nats_urls, nats_jwt, jwt_expires_at } = data;
  const expiresAt = new Date(typeof jwt_expires_at === 'string' ? jwt_expires_at : Number.NaN);
  if (
    typeof agent_id !== 'string' ||
    typeof organization_id !== 'string' ||
    typeof nats_jwt !== 'string' ||
    !Array.isArray(nats_urls) ||
    Number.isNaN(expiresAt.getTime())
  ) {
    throw new EnrolmentError('the response of the control plane has an unknown format', false);
  }
  return {
    agentId: agent_id,
    organizationId: organization_id,
    natsUrls: nats_urls.map(String),
    natsJwt: nats_jwt,
    expiresAt,
  };
}

const SHORTEST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;
const TIMEOUT_MS = 10_000;
/** The control plane refuses a signature if its time differs by more than this from the control plane's. */
const CLOCK_TOLERANCE_MS = 60_000;
const REFUSALS = new Set([401, 403, 404, 409, 422]);
