// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

import { Jobs } from '../jobs.js';
import { Webhooks } from '../webhooks/webhooks.js';
import type { CallOptions } from '../transport/request.js';
import type { Transport } from '../transport/transport.js';
import { OPERATIONS } from './operations.js';
import {
  ModelsResource,
  GeneratorsResource,
  MockEndpointsResource,
  SnapshotsResource,
  OrganizationResource,
  MembersResource,
  TokensResource,
  AgentsResource,
  EnrolmentTokensResource,
  AuditLogResource,
} from './resources.js';
import type { Caller } from './types.js';

/** The operations of the API by resource. */
export abstract class ApiClient {
  readonly #transport: Transport;
  readonly models: ModelsResource;
  readonly generators: GeneratorsResource;
  readonly mockEndpoints: MockEndpointsResource;
  readonly jobs: Jobs;
  readonly snapshots: SnapshotsResource;
  readonly organization: OrganizationResource;
  readonly members: MembersResource;
  readonly tokens: TokensResource;
  readonly agents: AgentsResource;
  readonly enrolmentTokens: EnrolmentTokensResource;
  readonly webhooks: Webhooks;
  readonly auditLog: AuditLogResource;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.models = new ModelsResource(transport);
    this.generators = new GeneratorsResource(transport);
    this.mockEndpoints = new MockEndpointsResource(transport);
    this.jobs = new Jobs(transport);
    this.snapshots = new SnapshotsResource(transport);
    this.organization = new OrganizationResource(transport);
    this.members = new MembersResource(transport);
    this.tokens = new TokensResource(transport);
    this.agents = new AgentsResource(transport);
    this.enrolmentTokens = new EnrolmentTokensResource(transport);
    this.webhooks = new Webhooks(transport);
    this.auditLog = new AuditLogResource(transport);
  }

  /**
   * Shows the caller: role, scopes, organisation, member and token.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes needs no scope.
   */
  whoami(options?: CallOptions): Promise<Caller> {
    return this.#transport.call(OPERATIONS.whoami, { options });
  }

  /**
   * Describes this API as OpenAPI 3.1.
   *
   * The document changes only with the version of the server.
   *
   * Requires no token.
   */
  apiDescription(options?: CallOptions): Promise<Record<string, unknown>> {
    return this.#transport.call(OPERATIONS.getApiDescription, { options });
  }
}
