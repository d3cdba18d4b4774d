import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { requestedChange } from '../../platform/audit-log/audit-entry.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { MembersService } from '../members/members.service.js';
import { billingCycleEnd } from '../usage/billing-cycle.js';
import { QuotasService } from '../usage/quotas.service.js';
import { WebhooksService, type DisabledWebhook } from '../../webhooks/endpoints/webhooks.service.js';
import type { ChangeOrganizationDto } from './change-organization.dto.js';
import { changePlan } from './change-plan.js';
import { OrganizationEntity } from './organization.entity.js';
import type { OrganizationResponse } from './organization-response.js';

@Injectable()
export class OrganizationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MembersService,
    private readonly quotas: QuotasService,
    private readonly webhooks: WebhooksService,
  ) {}

  async get(id: string, now = new Date()): Promise<OrganizationResponse> {
    const { name, plan } = await this.dataSource.manager.findOneByOrFail(OrganizationEntity, { id });
    return {
      id,
      name,
      plan,
      members: await this.members.count(id),
      usage: await this.quotas.usage(id, plan, now),
      billing_cycle_end: billingCycleEnd(now).toISOString(),
      warnings: (await this.webhooks.disabledByFailure(id)).map(webhookDisabled),
    };
  }

  async change(
    request: CallerRequest,
    { plan }: ChangeOrganizationDto,
    now = new Date(),
  ): Promise<OrganizationResponse> {
    const change = { ...requestedChange(request, now), plan };
    await this.dataSource.transaction((manager) => changePlan(manager, change));
    return this.get(change.organizationId, now);
  }
}

function webhookDisabled({ id, disabledReason }: DisabledWebhook): OrganizationResponse['warnings'][number] {
  const message =
    disabledReason === 'gone'
      ? 'A webhook was disabled, because its receiver responded with 410. Correct its URL, then enable it.'
      : 'A webhook was disabled, because every delivery to it failed for five days. Fix its receiver, then enable it.';
  return { code: 'webhook_disabled', message, webhook_id: id };
}
