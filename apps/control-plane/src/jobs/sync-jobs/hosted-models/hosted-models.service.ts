import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AgentSignatures } from '../../../agents/registry/credentials/agent-signatures.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { CustomModelsService } from '../../../data/models/custom/custom-models.service.js';
import { hostedModelMessage, type HostedModelDto } from './hosted-model.dto.js';
import { SyncJobEntity } from '../sync-job.entity.js';
import { isEnded } from '../../../agents/agent-work/leases/work-state.js';

/** Sends the files of uploaded models to the agents whose jobs use them. */
@Injectable()
export class HostedModelsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly signatures: AgentSignatures,
    private readonly models: CustomModelsService,
  ) {}

  /**
   * Returns a model file of at most 32 MiB.
   * @throws ApiError as `AgentSignatures.agentOf` does, or `not_found` unless the agent works on a job that was accepted with
   * this file
   */
  async file(request: SignedRequest, dto: HostedModelDto): Promise<Uint8Array> {
    const agent = await this.signatures.agentOf(request, dto, hostedModelMessage(dto));
    const job = await this.dataSource.manager.findOne(SyncJobEntity, {
      select: { id: true, status: true, definition: true },
      where: { id: dto.job_id, organizationId: agent.organizationId, agentId: agent.id },
    });
    const uses =
      job !== null &&
      !isEnded(job.status) &&
      (job.definition.hostedModels ?? []).some(({ hash }) => hash === dto.sha256);
    const file = uses ? await this.models.fileOfHash(agent.organizationId, dto.sha256) : undefined;
    if (file === undefined) throw new ApiError('not_found', 'This job uses no model with this hash.');
    return file;
  }
}
