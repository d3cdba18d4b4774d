import { Injectable } from '@nestjs/common';
import { DataSource, Not, type EntityManager, IsNull } from 'typeorm';
import { ulid } from 'ulid';

import { findPage } from '../../platform/persistence/find-page.js';
import type { AuditAction } from '../../platform/audit-log/audit-entry.js';
import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { Configuration } from '../../platform/config/configuration.js';
import { ApiError, noSuch, validationError } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import type { Deleted } from '../../platform/http/operations/schemas.js';
import type { Paged, PageQuery } from '../../platform/http/dto/page.dto.js';
import { addressGuard, type AddressGuard } from '../receivers/address-guard.js';
import { receiverUrlProblem } from '../receivers/receiver-url.js';
import { DeliveryCleanup, failPending } from '../delivery/delivery-cleanup.js';
import { SecretBox } from './secret-box.js';
import { WebhookEndpointEntity, type DisabledReason } from './webhook-endpoint.entity.js';
import {
  toWebhookResponse,
  type WebhookResponse,
  type WebhookWithSecretResponse,
} from './webhook-response.js';
import { newWebhookSecret } from '../delivery/sign-webhook.js';
import {
  DEFAULT_FORMAT,
  DEFAULT_OVERLAP_HOURS,
  type ChangeWebhookDto,
  type CreateWebhookDto,
  type RotateWebhookSecretDto,
} from './webhooks.dto.js';

const HOUR_MS = 3_600_000;

/** A disabled webhook and the reason. */
export type DisabledWebhook = Pick<WebhookEndpointEntity, 'id' | 'disabledReason'>;

/** Manages the webhooks of an organisation. */
@Injectable()
export class WebhooksService {
  private readonly secrets: SecretBox;
  private readonly allows: AddressGuard;

  constructor(
    private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
    private readonly cleanup: DeliveryCleanup,
  ) {
    this.secrets = new SecretBox(configuration.webhooks.secretsKey);
    this.allows = addressGuard(configuration.webhooks.allowedNetworks);
  }

  /**
   * Creates a webhook.
   * @throws ApiError `limit_exceeded` if the organisation has the maximum number of webhooks
   */
  create(
    request: CallerRequest,
    dto: CreateWebhookDto,
    now = new Date(),
  ): Promise<WebhookWithSecretResponse> {
    this.assertReceiver(dto.url);
    const { organizationId } = request.caller;
    const { maxPerOrganization } = this.configuration.webhooks;
    const id = `wh_${ulid()}`;
    const secret = newWebhookSecret();
    return this.dataSource.transaction(async (manager) => {
      // The lock keeps other requests of this organisation from adding a webhook between the count and the
      // insert.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('webhook endpoints ' || $1, 0))`, [
        organizationId,
      ]);
      if ((await manager.countBy(WebhookEndpointEntity, { organizationId })) >= maxPerOrganization)
        throw new ApiError(
          'limit_exceeded',
          `An organisation can have at most ${maxPerOrganization} webhooks. Delete one first.`,
        );
      const endpoint = manager.create(WebhookEndpointEntity, {
        id,
        organizationId,
        url: dto.url,
        events: dto.events,
        format: dto.format ?? DEFAULT_FORMAT,
        sealedSecret: this.secrets.seal(secret, id),
        sealedPreviousSecret: null,
        previousSecretExpiresAt: null,
        failingSince: null,
        disabledAt: null,
        disabledReason: null,
        deletedAt: null,
        createdAt: now,
        updatedAt: now,
      });
      await manager.insert(WebhookEndpointEntity, endpoint);
      await record(manager, request, 'webhook.created', endpoint, now);
      return { ...toWebhookResponse(endpoint, now), secret };
    });
  }

  /** Returns a page of the webhooks, newest first. Disabled webhooks are included. */
  async list(
    organizationId: string,
    query: PageQuery,
    now = new Date(),
  ): Promise<Paged<'webhooks', WebhookResponse>> {
    const { rows, ...page } = await findPage(this.dataSource.manager, WebhookEndpointEntity, query, {
      where: { organizationId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return { webhooks: rows.map((endpoint) => toWebhookResponse(endpoint, now)), ...page };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string, now = new Date()): Promise<WebhookResponse> {
    const endpoint = await this.dataSource.manager.findOneBy(WebhookEndpointEntity, { id, organizationId });
    if (!endpoint) throw noSuch('webhook');
    return toWebhookResponse(endpoint, now);
  }

  /**
   * Changes a webhook. If the change disables the webhook, its pending deliveries fail. If the change enables
   * the webhook, its failure period is reset.
   */
  change(
    request: CallerRequest,
    id: string,
    dto: ChangeWebhookDto,
    now = new Date(),
  ): Promise<WebhookResponse> {
    if (dto.url !== undefined) this.assertReceiver(dto.url);
    return this.dataSource.transaction(async (manager) => {
      const endpoint = await this.lock(manager, request, id);
      Object.assign(endpoint, {
        ...(dto.url === undefined ? {} : { url: dto.url }),
        ...(dto.events === undefined ? {} : { events: dto.events }),
        ...(dto.format === undefined ? {} : { format: dto.format }),
        ...(dto.enabled === true ? { disabledAt: null, disabledReason: null, failingSince: null } : {}),
        ...(dto.enabled === false && endpoint.disabledAt === null
          ? { disabledAt: now, disabledReason: 'manual' }
          : {}),
        updatedAt: now,
      });
      const { url, events, format, disabledAt, disabledReason, failingSince, updatedAt } = endpoint;
      const changed = {
        url,
        events: [...events],
        format,
        disabledAt,
        disabledReason,
        failingSince,
        updatedAt,
      };
      await manager.update(WebhookEndpointEntity, { id }, changed);
      if (disabledAt !== null) await failPending(manager, id);
      await record(manager, request, 'webhook.changed', endpoint, now);
      return toWebhookResponse(endpoint, now);
    });
  }

  /**
   * Replaces the secret. The new and the previous secret both sign requests until the previous one expires. A
   * secret that an earlier rotation replaced stops signing immediately.
   */
  rotate(
    request: CallerRequest,
    id: string,
    { overlap_hours: hours = DEFAULT_OVERLAP_HOURS }: RotateWebhookSecretDto,
    now = new Date(),
  ): Promise<WebhookWithSecretResponse> {
    const secret = newWebhookSecret();
    return this.dataSource.transaction(async (manager) => {
      const endpoint = await this.lock(manager, request, id);
      const overlaps = hours > 0;
      const rotated = {
        sealedSecret: this.secrets.seal(secret, id),
        sealedPreviousSecret: overlaps ? endpoint.sealedSecret : null,
        previousSecretExpiresAt: overlaps ? new Date(now.getTime() + hours * HOUR_MS) : null,
        updatedAt: now,
      };
      await manager.update(WebhookEndpointEntity, { id }, rotated);
      await record(manager, request, 'webhook.secret_rotated', endpoint, now);
      return { ...toWebhookResponse(Object.assign(endpoint, rotated), now), secret };
    });
  }

  /** Deletes a webhook. {@link DeliveryCleanup} deletes its rows. */
  async delete(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    await this.dataSource.transaction(async (manager) => {
      const endpoint = await this.lock(manager, request, id);
      const { disabledAt, disabledReason } = endpoint;
      const unused = { disabledAt: disabledAt ?? now, disabledReason: disabledReason ?? 'manual' } as const;
      await manager.update(WebhookEndpointEntity, { id }, { deletedAt: now, ...unused });
      await record(manager, request, 'webhook.deleted', endpoint, now);
    });
    this.cleanup.wake();
    return { deleted: true, id };
  }

  /** Returns the webhooks that were disabled because of failures, the newest first. */
  disabledByFailure(organizationId: string): Promise<readonly DisabledWebhook[]> {
    return this.dataSource.manager.find(WebhookEndpointEntity, {
      select: { id: true, disabledReason: true },
      where: { organizationId, disabledReason: Not<DisabledReason>('manual'), disabledAt: Not(IsNull()) },
      order: { disabledAt: 'DESC', id: 'DESC' },
    });
  }

  private async lock(
    manager: EntityManager,
    { caller }: CallerRequest,
    id: string,
  ): Promise<WebhookEndpointEntity> {
    const where = { id, organizationId: caller.organizationId };
    const endpoint = await manager.findOne(WebhookEndpointEntity, {
      where,
      lock: { mode: 'pessimistic_write' },
    });
    if (!endpoint) throw noSuch('webhook');
    return endpoint;
  }

  private assertReceiver(url: string): void {
    const message = receiverUrlProblem(url, this.allows);
    if (message !== undefined) throw validationError([{ field: 'url', message }]);
  }
}

/**
 * Writes an entry of the audit log. The entry contains the origin of the URL but not the path, because the
 * path can contain a secret of the receiver.
 */
function record(
  manager: EntityManager,
  request: CallerRequest,
  action: AuditAction,
  { id, url, events, format, disabledAt }: WebhookEndpointEntity,
  now: Date,
): Promise<void> {
  const details = { server: new URL(url).origin, events, format, enabled: disabledAt === null };
  return auditRequest(manager, request, { now, action, targetId: id, details });
}
