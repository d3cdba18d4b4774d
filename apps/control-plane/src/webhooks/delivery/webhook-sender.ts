import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { Configuration } from '../../platform/config/configuration.js';
import { JobQueue, type WorkContext } from '../../platform/job-queue/job-queue.js';
import { addressGuard } from '../receivers/address-guard.js';
import { DeliveryStore, type ClaimedDelivery } from './delivery-store.js';
import { DELIVER_TOPIC, DeliverySweep } from './delivery-sweep.js';
import { resolveByDns } from '../receivers/guarded-lookup.js';
import {
  postWebhook,
  webhookHeaders,
  type Receipt,
  type Sender,
  type WebhookRequest,
} from './post-webhook.js';
import { SecretBox, SecretUnreadableError } from '../endpoints/secret-box.js';
import { signatureHeaders } from './sign-webhook.js';
import { bodyIn } from '../formats/webhook-format.js';

/**
 * A receiver did not accept a delivery. The failure is already recorded. This error makes the ops page show
 * the queue's job as failed.
 */
export class DeliveryFailedError extends Error {
  constructor() {
    super('the receiver did not accept the delivery');
    this.name = 'DeliveryFailedError';
  }
}

const SECRET_UNREADABLE: Receipt = { statusCode: null, error: 'secret_unreadable' };

/**
 * Delivers webhooks. It claims a delivery, sends it, records the result, and queues the next delivery to the
 * same endpoint.
 */
@Injectable()
export class WebhookSender implements OnModuleInit {
  private readonly logger = new Logger(WebhookSender.name);
  private readonly secrets: SecretBox;
  private readonly sender: Sender;
  private readonly publicUrl: string;

  constructor(
    private readonly queue: JobQueue,
    private readonly store: DeliveryStore,
    private readonly sweep: DeliverySweep,
    { webhooks, http }: Configuration,
  ) {
    this.publicUrl = http.publicUrl;
    this.secrets = new SecretBox(webhooks.secretsKey);
    const allows = addressGuard(webhooks.allowedNetworks);
    this.sender = { resolve: resolveByDns, allows, timeoutMs: webhooks.timeoutMs };
  }

  onModuleInit(): void {
    this.queue.handle(DELIVER_TOPIC, (id, context) => this.deliver(id, context), 'webhooks');
  }

  /** @throws DeliveryFailedError if the receiver did not accept the delivery */
  private async deliver(id: string, { isManualRetry }: WorkContext): Promise<void> {
    const accepted = await this.tryOnce(id, isManualRetry).catch((error: unknown) => {
      // A service is unreachable. The delivery is still pending, and the sweep finds it again.
      this.logger.warn(`${id} will be retried: ${error instanceof Error ? error.name : 'unknown'}`);
      return true;
    });
    if (!accepted) throw new DeliveryFailedError();
  }

  /** @returns false if the delivery was attempted and not accepted */
  private async tryOnce(id: string, isManualRetry: boolean): Promise<boolean> {
    const delivery = await this.store.claim(id, isManualRetry);
    if (!delivery) return true;
    const at = new Date();
    const startedAt = performance.now();
    const request = this.requestOf(delivery, at);
    const receipt = request === null ? SECRET_UNREADABLE : await postWebhook(request, this.sender);
    const durationMs = Math.round(performance.now() - startedAt);
    await this.store.record(delivery, receipt, { at, durationMs, request });
    const { error, statusCode } = receipt;
    const what = { delivery_id: id, event_id: delivery.eventId, webhook_id: delivery.endpointId };
    this.logger.log({ ...what, status_code: statusCode, error, msg: error ? 'not delivered' : 'delivered' });
    await this.sweep.offer(delivery.endpointId);
    return error === null;
  }

  /** @returns null if the secret cannot be read */
  private requestOf(delivery: ClaimedDelivery, sentAt: Date): WebhookRequest | null {
    const { eventId: id, url } = delivery;
    const body = bodyIn(delivery.format, delivery.body, this.publicUrl);
    try {
      const signatures = signatureHeaders({ id, body, sentAt }, this.secretsOf(delivery, sentAt));
      return { url, headers: webhookHeaders(body, signatures), body };
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      return null;
    }
  }

  private secretsOf(delivery: ClaimedDelivery, now: Date): [string, ...string[]] {
    const { endpointId, sealedSecret, sealedPreviousSecret, previousSecretExpiresAt } = delivery;
    const newest = this.secrets.open(sealedSecret, endpointId);
    const isOver = previousSecretExpiresAt === null || previousSecretExpiresAt <= now;
    if (sealedPreviousSecret === null || isOver) return [newest];
    return [newest, this.secrets.open(sealedPreviousSecret, endpointId)];
  }
}
