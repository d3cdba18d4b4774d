import { createHmac, randomBytes } from 'node:crypto';

export interface SignedMessage {
  /** Id of the event, the same in every attempt. */
  readonly id: string;
  readonly body: string;
  /** Time of this attempt. */
  readonly sentAt: Date;
}

/**
 * Returns the headers that authenticate a request. `X-Service-Signature` covers only the body. The headers of
 * Standard Webhooks cover id and time, too.
 * @param secrets newest first; two during a rotation
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

/** Creates a secret with 256 random bits in the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * Returns the key of `webhook-signature`: the decoded bytes after the prefix. The key of
 * `X-Service-Signature` is the whole text.
 */
export function standardKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
