import { createHmac, randomBytes } from 'node:crypto';

export interface SignedMessage {
  /** Of the event: the same on every try. */
  readonly id: string;
  readonly body: string;
  /** Of this try. */
  readonly sentAt: Date;
}

/**
 * The headers that prove a request: `X-Service-Signature` over the body alone, and those of Standard Webhooks, which cover id
 * and time as well.
 * @param secrets newest first; during a rotation two
 */
export function signatureHeaders(
  { id, body, sentAt }: SignedMessage,
  secrets: readonly [string, ...string[]],
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const [newest] = secrets;
  return {
    'X-Service-Signature': createHmac('sha256', newest).update(body).digest('hex'),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => standardSignature(secret, id, timestamp, body)).join(' '),
  };
}

function standardSignature(secret: string, id: string, timestamp: string, body: string): string {
  const mac = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${mac}`;
}

const PREFIX = 'whsec_';

/** 256 random bits in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The key of `webhook-signature`: the bytes after the prefix. `X-Service-Signature` is keyed with the whole text. */
export function standardKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
