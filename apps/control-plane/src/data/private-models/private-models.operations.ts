import { operations } from '../../platform/http/operations/operation.js';
import { pageResponse } from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import { PrivateModelResponse } from './private-model-response.js';

const EXAMPLE = {
  id: 'private/customer-names',
  name: 'customer-names',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  agent_id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  trained_at: '2026-11-21T09:30:00.000Z',
};
export const PRIVATE_MODELS = operations('Agents', {
  listAgentModels: {
    method: 'GET',
    path: '/v1/agents/:id/models',
    client: 'agents.listModels',
    summary: 'lists the models that an agent trained',
    description:
      'The models that were trained last come first. The control plane knows only their names and keyed hashes.',
    role: 'viewer',
    scope: 'agents:read',
    resource: 'agent',
    query: PageQuery,
    response: pageResponse('A page of models.', 'models', PrivateModelResponse, EXAMPLE),
  },
});
