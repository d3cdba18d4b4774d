import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** 256 random bits in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** The key of `webhook-signature`: the bytes after the prefix. `X-Service-Signature` is keyed with the whole text. */
export function standardKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
