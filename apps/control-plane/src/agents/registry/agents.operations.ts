import { operations } from '../../platform/http/operations/operation.js';
import { deletedResponse, pageResponse } from '../../platform/http/operations/schemas.js';
import { PageQuery } from '../../platform/http/dto/page.dto.js';
import {
  AGENT_EXAMPLE,
  AgentResponse,
  CredentialsResponse,
  RevokedAgentResponse,
} from './agent-responses.js';
import { EnrolAgentDto, RenewAgentDto } from './agents.dto.js';
import { EnrolmentTokenResponse, NewEnrolmentTokenResponse } from './enrolment/enrolment-token-response.js';
import { installLines } from './enrolment/install-lines.js';

const CREDENTIALS_EXAMPLE = {
  agent_id: AGENT_EXAMPLE.id,
  organization_id: 'org_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  nats_urls: ['tls://nats.example.com:4222'],
  nats_jwt: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.e30.c2lnbmF0dXJl',
  jwt_expires_at: '2026-11-21T10:30:00.000Z',
};
const TOKEN_EXAMPLE = {
  id: 'enr_01KAMT8Z5CVYX7R2M4D6Q9WJ3E',
  status: 'unused',
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-11-21T10:30:00.000Z',
  used_at: null,
  agent_id: null,
};
const TOKEN_TEXT = 'us_enrol_Zr5cQ1x8vT0mK2pL9sD4fR7wY3bN6hG1jA8eU5oI2qX';

export const AGENTS = operations('Agents', {
  listAgents: {
    method: 'GET',
    path: '/v1/agents',
    client: 'agents.list',
    summary: 'lists the agents',
    description: 'Returns all agents, including revoked ones. The most recently enrolled agent comes first.',
    role: 'viewer',
    scope: 'agents:read',
    calls: 'always_served',
    query: PageQuery,
    response: pageResponse('A page of agents.', 'agents', AgentResponse, AGENT_EXAMPLE),
  },
  getAgent: {
    method: 'GET',
    path: '/v1/agents/:id',
    client: 'agents.get',
    summary: 'shows an agent',
    role: 'viewer',
    scope: 'agents:read',
    calls: 'always_served',
    resource: 'agent',
    response: { description: 'The agent.', data: AgentResponse, example: AGENT_EXAMPLE },
  },
  revokeAgent: {
    method: 'DELETE',
    path: '/v1/agents/:id',
    client: 'agents.revoke',
    summary: 'revokes an agent permanently',
    description:
      'A revoked agent gets no further work and no further credentials. If the agent is already revoked, nothing changes.',
    role: 'admin',
    scope: 'agents:write',
    calls: 'always_served',
    resource: 'agent',
    response: {
      description: 'The agent is revoked.',
      data: RevokedAgentResponse,
      example: { ...AGENT_EXAMPLE, status: 'revoked', deleted: true },
    },
  },
  listEnrolmentTokens: {
    method: 'GET',
    path: '/v1/agents/enrolment-tokens',
    client: 'enrolmentTokens.list',
    summary: 'lists the enrolment tokens',
    description: 'Returns all tokens, including used and expired ones. The newest token comes first.',
    role: 'admin',
    scope: 'agents:read',
    calls: 'always_served',
    query: PageQuery,
    response: pageResponse(
      'A page of enrolment tokens.',
      'enrolment_tokens',
      EnrolmentTokenResponse,
      TOKEN_EXAMPLE,
    ),
  },
  createEnrolmentToken: {
    method: 'POST',
    path: '/v1/agents/enrolment-tokens',
    client: 'enrolmentTokens.create',
    summary: 'creates a token that enrols one agent within an hour',
    role: 'admin',
    scope: 'agents:write',
    calls: 'always_served',
    status: 201,
    location: '/v1/agents/enrolment-tokens/:id',
    secrets: ['token'],
    response: {
      description: 'The token, including its text.',
      data: NewEnrolmentTokenResponse,
      example: {
        ...TOKEN_EXAMPLE,
        token: TOKEN_TEXT,
        install: installLines('https://understudy.example.com'),
      },
    },
  },
  getEnrolmentToken: {
    method: 'GET',
    path: '/v1/agents/enrolment-tokens/:id',
    client: 'enrolmentTokens.get',
    summary: 'shows an enrolment token',
    role: 'admin',
    scope: 'agents:read',
    calls: 'always_served',
    resource: 'enrolment_token',
    response: { description: 'The token.', data: EnrolmentTokenResponse, example: TOKEN_EXAMPLE },
  },
  revokeEnrolmentToken: {
    method: 'DELETE',
    path: '/v1/agents/enrolment-tokens/:id',
    client: 'enrolmentTokens.revoke',
    summary: 'revokes an enrolment token',
    description: 'An agent that the token enrolled stays enrolled.',
    role: 'admin',
    scope: 'agents:write',
    calls: 'always_served',
    resource: 'enrolment_token',
    response: deletedResponse('The token is revoked.', TOKEN_EXAMPLE.id),
  },
  enrolAgent: {
    method: 'POST',
    path: '/v1/agents/enroll',
    client: null,
    summary: 'enrols an agent with an enrolment token',
    description: 'Agents call this operation themselves. It uses up the enrolment token.',
    role: 'public',
    body: EnrolAgentDto,
    example: {
      body: {
        token: TOKEN_TEXT,
        name: 'eu-1',
        nats_public_key: 'UDSDANYJTHNO3CHFHDNKYOFBAWRIT6WLOJCLVWPKNUQC7E7VABLAQDFT',
        sealing_public_key: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
      },
    },
    status: 201,
    secrets: ['nats_jwt'],
    response: {
      description: 'The agent is enrolled.',
      data: CredentialsResponse,
      example: CREDENTIALS_EXAMPLE,
    },
    refusals: ['unauthorized', 'conflict'],
  },
  renewAgent: {
    method: 'POST',
    path: '/v1/agents/renew',
    client: null,
    summary: "issues the next credential to the owner of an agent's key",
    description:
      "Agents call this operation themselves and sign the request with the agent's key. It also works after the credentials have expired. " +
      'The response is 403 if the agent is revoked, and 409 if another process of the agent has started since. It is 401 if the signature or the clock of the agent is wrong. A genuine request counts for the agent only. Any other request counts for the address of the client.',
    role: 'public',
    signedBy: 'agent',
    body: RenewAgentDto,
    example: {
      body: {
        agent_id: AGENT_EXAMPLE.id,
        issued_at: '2026-11-21T09:30:00.000Z',
        nonce: 'pL9sD4fR7wY3bN6hG1jA8e',
        instance: 'kV5nC8xW2qT7mZ4bR9yD1g',
        take_over: true,
        signature: `${'A'.repeat(86)}==`,
      },
    },
    secrets: ['nats_jwt'],
    response: {
      description: 'The new credentials.',
      data: CredentialsResponse,
      example: CREDENTIALS_EXAMPLE,
    },
    refusals: ['unauthorized', 'forbidden', 'conflict'],
  },
});
