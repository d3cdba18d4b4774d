import { Type } from 'typebox';

import { id, instant, named, type ResponseOf } from '../../platform/http/operations/schemas.js';
import type { PrivateModelEntity } from './private-model.entity.js';

/** A model that an agent trained. Its file stays on the agent. */
export const PrivateModelResponse = named('AgentModel', {
  id: Type.String({ description: 'Id of the model: `private/<name>`.' }),
  name: Type.String(),
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'HMAC of the model with a key that never leaves the agent.',
  }),
  agent_id: id('agt', 'The agent that trained and stores the model.'),
  trained_at: instant('When the model was last trained.'),
});
export type PrivateModelResponse = ResponseOf<typeof PrivateModelResponse>;

export function toPrivateModelResponse(model: PrivateModelEntity): PrivateModelResponse {
  return {
    id: model.name,
    name: model.name.replace(/^private\//, ''),
    hash: model.hash,
    agent_id: model.agentId,
    trained_at: model.trainedAt.toISOString(),
  };
}
