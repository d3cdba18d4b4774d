import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { AgentSignatures } from '../../../agents/registry/credentials/agent-signatures.service.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { SignedRequest } from '../../../platform/http/pipeline/signed-request.js';
import { CustomModelsService } from '../../../data/models/custom/custom-models.service.js';
import { hostedModelMessage, type HostedModelDto } from './hosted-model.dto.js';
import { SyncJobEntity } from '../sync-job.entity.js';
import { tablesText } from '../tables/fetched-tables.js';
import { isEnded } from '../../../agents/agent-work/leases/work-state.js';

/** A file in the form in which it is sent. */
export interface HostedFile {
  readonly content: Uint8Array | AsyncIterable<string>;
  readonly byteLength: number;
}

/** Sends the files of uploaded models, and the tables of large jobs, to the agents that work on the jobs. */
@Injectable()
export class HostedModelsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly signatures: AgentSignatures,
    private readonly models: CustomModelsService,
  ) {}

  /**
   * Returns a model file of at most 32 MiB, or the tables of the job.
   * @throws ApiError as `AgentSignatures.agentOf` does, or `not_found` unless the agent works on a job that was accepted with
   * this file
   */
  async file(request: SignedRequest, dto: HostedModelDto): Promise<HostedFile> {
    const agent = await this.signatures.agentOf(request, dto, hostedModelMessage(dto));
    const job = await this.dataSource.manager.findOne(SyncJobEntity, {
      select: { id: true, status: true, definition: true },
      where: { id: dto.job_id, organizationId: agent.organizationId, agentId: agent.id },
    });
    const { hostedModels = [], fetchedTables } = job && !isEnded(job.status) ? job.definition : {};
    if (fetchedTables?.hash === dto.sha256) {
      const content = tablesText(this.dataSource.manager, dto.job_id);
      return { content, byteLength: fetchedTables.byteLength };
    }
    const uses = hostedModels.some(({ hash }) => hash === dto.sha256);
    const content = uses ? await this.models.fileOfHash(agent.organizationId, dto.sha256) : undefined;
    if (content === undefined) throw new ApiError('not_found', 'This job uses no file with this hash.');
    return { content, byteLength: content.byteLength };
  }
}
