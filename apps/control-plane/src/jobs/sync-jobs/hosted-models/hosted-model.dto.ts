import { Matches } from 'class-validator';

import { SignedByAgentDto } from '../../../agents/registry/agents.dto.js';
import { Documented } from '../../../platform/http/dto/documented.js';

/** The request of an agent for the file of a model that its job uses, or for the tables of the job. */
export class HostedModelDto extends SignedByAgentDto {
  @Documented('The job on which the agent works.')
  @Matches(/^job_[0-9A-Z]{26}$/, { message: 'expected the id of a sync job' })
  job_id: string;

  @Documented('SHA-256 of the file, from the command of the job.')
  @Matches(/^[0-9a-f]{64}$/, { message: 'expected a SHA-256 in lower-case hex' })
  sha256: string;
}

/** Returns the message that the agent signs. */
export function hostedModelMessage(request: HostedModelDto): string {
  const { agent_id, job_id, sha256, issued_at, nonce } = request;
  return ['understudy agent hosted model v1', agent_id, job_id, sha256, issued_at, nonce].join('\n');
}
