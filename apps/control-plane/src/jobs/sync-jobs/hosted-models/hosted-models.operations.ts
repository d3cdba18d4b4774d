import { operations } from '../../../platform/http/operations/operation.js';
import { HostedModelDto } from './hosted-model.dto.js';

export const HOSTED_MODELS = operations('Agents', {
  fetchHostedModel: {
    method: 'POST',
    path: '/v1/agents/hosted-models',
    client: null,
    summary: 'sends an agent a custom model or the tables of its current job',
    description:
      "For agents, which sign this request with their key. The file has the given hash. It is that of a model with which the agent's job was accepted, or contains the tables of a job that is too large for one command.",
    role: 'public',
    signedBy: 'agent',
    body: HostedModelDto,
    example: {
      body: {
        agent_id: 'agt_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
        issued_at: '2026-11-21T09:30:00.000Z',
        nonce: 'pL9sD4fR7wY3bN6hG1jA8e',
        signature: `${'A'.repeat(86)}==`,
        job_id: 'job_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    },
    response: {
      description: 'The file.',
      content: {
        'application/octet-stream': {
          schema: {
            description:
              'A model file, whose format docs/reference/ngram-format.md documents, or a JSON array of tables as in a request.',
          },
        },
      },
    },
    refusals: ['unauthorized', 'forbidden'],
  },
});
