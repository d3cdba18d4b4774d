import { WebhooksResource } from '../generated/resources.js';
import {
  verifyWebhook,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHeaders,
} from './verify-webhook.js';

/** Webhooks: signed requests to your server when jobs and snapshots end. */
export class Webhooks extends WebhooksResource {
  /**
   * Verifies that a request comes from the control plane. Equal to the function `verifyWebhook`.
   *
   * @param rawBody the body as it was received, before any parser changed it
   * @param secrets one secret (`whsec_…`), or several ones during a rotation
   * @throws WebhookVerificationError with the reason, if the request is not authentic
   */
  verify(
    rawBody: string | Uint8Array,
    headers: WebhookHeaders,
    secrets: string | readonly string[],
    options: VerifyOptions = {},
  ): Promise<WebhookEvent> {
    return verifyWebhook(rawBody, headers, secrets, options);
  }
}
