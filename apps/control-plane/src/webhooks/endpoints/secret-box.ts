import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The secret was encrypted with another key. An administrator has to rotate the secret of the endpoint. */
export class SecretUnreadableError extends Error {
  readonly code = 'webhook.secret_unreadable';

  constructor() {
    super('the secret was encrypted with another key; rotate the secret of the webhook');
    this.name = 'SecretUnreadableError';
  }
}

/**
 * Encrypts secrets that must be readable later, with AES-256-GCM and a key derived from the configuration
 * (ADR 21).
 */
export class SecretBox {
  private readonly key: Buffer;

  constructor(secretsKey: string) {
    this.key = Buffer.from(hkdfSync('sha256', secretsKey, '', 'understudy webhook secrets', 32));
  }

  /** @param context the owner of the secret; `open` needs the same context */
  seal(secret: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), nonce, sealed, cipher.getAuthTag()]);
  }

  /** @throws SecretUnreadableError */
  open(box: Buffer, context: string): string {
    try {
      if (box[0] !== VERSION) throw new SecretUnreadableError();
      const nonce = box.subarray(1, 1 + NONCE_BYTES);
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', this.key, nonce, options)
        .setAAD(Buffer.from(context))
        .setAuthTag(box.subarray(-TAG_BYTES));
      const sealed = box.subarray(1 + NONCE_BYTES, -TAG_BYTES);
      return decipher.update(sealed, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new SecretUnreadableError(); // the error of OpenSSL contains nothing useful
    }
  }
}
