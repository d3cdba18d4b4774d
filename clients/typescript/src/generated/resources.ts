// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

import type { CallOptions, KeyedCallOptions } from '../transport/request.js';
import type { Transport } from '../transport/transport.js';
import { OPERATIONS } from './operations.js';
import type {
  AcceptInvitationRequest,
  AcceptedRestore,
  AcceptedRevert,
  Agent,
  AgentModel,
  AuditEntry,
  CancelledSyncJob,
  ChangeMemberRequest,
  ChangeOrganizationRequest,
  ChangeWebhookRequest,
  CreateMockEndpointRequest,
  CreateSnapshotRequest,
  CreateSyncJobRequest,
  CreateTokenRequest,
  CreateWebhookRequest,
  DailyUsage,
  Deleted,
  DeletedSyncJob,
  EnrolmentToken,
  Generator,
  GetSyncJobQuery,
  GetUsageQuery,
  InviteMemberRequest,
  InvitedMember,
  JoinedMember,
  ListAgentModelsQuery,
  ListAgentModelsResult,
  ListAgentsQuery,
  ListAgentsResult,
  ListAuditEntriesQuery,
  ListAuditEntriesResult,
  ListEnrolmentTokensQuery,
  ListEnrolmentTokensResult,
  ListGeneratorsQuery,
  ListGeneratorsResult,
  ListMembersQuery,
  ListMembersResult,
  ListMockEndpointsQuery,
  ListMockEndpointsResult,
  ListModelsQuery,
  ListModelsResult,
  ListSnapshotRestoresQuery,
  ListSnapshotRestoresResult,
  ListSnapshotsQuery,
  ListSnapshotsResult,
  ListSyncJobTablesQuery,
  ListSyncJobsQuery,
  ListSyncJobsResult,
  ListTokensQuery,
  ListTokensResult,
  ListWebhookDeliveriesQuery,
  ListWebhookDeliveriesResult,
  ListWebhooksQuery,
  ListWebhooksResult,
  ListedGenerator,
  ListedMockEndpoint,
  ListedModel,
  ListedSnapshot,
  ListedSyncJob,
  Member,
  MockEndpoint,
  Model,
  NewEnrolmentToken,
  NewToken,
  Organization,
  PrivateModel,
  RecoverWebhookDeliveriesRequest,
  RegisterGeneratorRequest,
  Restore,
  RestoreSnapshotRequest,
  Revert,
  RevokedAgent,
  RotateTokenRequest,
  RotateWebhookSecretRequest,
  RotatedToken,
  Snapshot,
  StoredData,
  SyncJob,
  SyncJobDefinition,
  SyncJobTablePage,
  Token,
  UploadModelRequest,
  UploadedModel,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryWithRequest,
  WebhookRecovery,
  WebhookWithSecret,
} from './types.js';

/** The operations of `client.models`. */
export class ModelsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the models.
   *
   * Uploaded models come first, the newest at the top. Built-in models follow, ordered by id.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `models:read`.
   */
  list(query?: ListModelsQuery, options?: CallOptions): Promise<ListModelsResult> {
    return this.#transport.call(OPERATIONS.listModels, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(
    query?: ListModelsQuery,
    options?: CallOptions,
  ): AsyncGenerator<ListedModel | PrivateModel, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listModels, { query, options });
  }

  /**
   * Uploads a custom model.
   *
   * The locale is read from the file. The id is the given `id`, or `custom/` and a slug of the name.
   * Files that agents trained or that contain original values are refused. An uploaded model therefore
   * supports neither the mode `real_word` nor the constraint `exclude_originals`.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `models:write`.
   */
  upload(body: UploadModelRequest, options?: KeyedCallOptions): Promise<UploadedModel> {
    return this.#transport.call(OPERATIONS.uploadModel, { body, options });
  }

  /**
   * Shows a model.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `models:read`.
   *
   * @param id Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
   */
  get(id: string, options?: CallOptions): Promise<Model | PrivateModel> {
    return this.#transport.call(OPERATIONS.getModel, { path: [id], options });
  }

  /**
   * Deletes a custom model, or a model that an agent trained.
   *
   * You cannot delete a built-in model or a model that a mock endpoint uses.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `models:write`.
   *
   * @param id Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
   */
  delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.deleteModel, { path: [id], options });
  }

  /**
   * Downloads the file of a custom model.
   *
   * The file has exactly the bytes that were uploaded, and the `ETag` is their SHA-256 in hex. Built-in
   * models and models that agents trained have no file here.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `models:read`.
   *
   * @param id Id of a model. In a URL, you can write its slash as `/` or as `%2F`.
   */
  download(id: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.#transport.download(OPERATIONS.downloadModel, { path: [id], options });
  }
}

/** The operations of `client.generators`. */
export class GeneratorsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the registered compositions, with one entry for each version.
   *
   * Returns the newest composition first. Each version is a separate item.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `generators:read`.
   */
  list(query?: ListGeneratorsQuery, options?: CallOptions): Promise<ListGeneratorsResult> {
    return this.#transport.call(OPERATIONS.listGenerators, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(
    query?: ListGeneratorsQuery,
    options?: CallOptions,
  ): AsyncGenerator<ListedGenerator, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listGenerators, { query, options });
  }

  /**
   * Registers a composition, or a new version of a registered one.
   *
   * The server compiles the composition first. It refuses an unknown reference and suggests a similar
   * name. A registered version never changes.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `generators:write`.
   */
  register(body: RegisterGeneratorRequest, options?: KeyedCallOptions): Promise<Generator> {
    return this.#transport.call(OPERATIONS.registerGenerator, { body, options });
  }

  /**
   * Shows a registered composition; `name@version` selects a version, and a name its highest version.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `generators:read`.
   *
   * @param id Name of a registered composition, with or without a version: `name@version` or `name`.
   */
  get(id: string, options?: CallOptions): Promise<Generator> {
    return this.#transport.call(OPERATIONS.getGenerator, { path: [id], options });
  }

  /**
   * Deletes a registered composition; `name@version` selects one version, and a name all versions.
   *
   * Jobs that were accepted before keep their copy of the composition.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `generators:write`.
   *
   * @param id Name of a registered composition, with or without a version: `name@version` or `name`.
   */
  delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.deleteGenerator, { path: [id], options });
  }
}

/** The operations of `client.mockEndpoints`. */
export class MockEndpointsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the mock endpoints.
   *
   * The newest endpoints come first.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `endpoints:read`.
   */
  list(query?: ListMockEndpointsQuery, options?: CallOptions): Promise<ListMockEndpointsResult> {
    return this.#transport.call(OPERATIONS.listMockEndpoints, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(
    query?: ListMockEndpointsQuery,
    options?: CallOptions,
  ): AsyncGenerator<ListedMockEndpoint, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listMockEndpoints, { query, options });
  }

  /**
   * Creates a mock endpoint.
   *
   * The schema and the wrapper are compiled before the response. The endpoint is served immediately at
   * `url`; see docs/guides/mock-endpoints.md. Custom models that the endpoint uses cannot be deleted
   * while it exists. The endpoint keeps the current versions of the registered compositions that it
   * uses.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `endpoints:write`.
   */
  create(body: CreateMockEndpointRequest, options?: KeyedCallOptions): Promise<MockEndpoint> {
    return this.#transport.call(OPERATIONS.createMockEndpoint, { body, options });
  }

  /**
   * Shows a mock endpoint and its schema.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `endpoints:read`.
   *
   * @param id Id of a mock endpoint.
   */
  get(id: string, options?: CallOptions): Promise<MockEndpoint> {
    return this.#transport.call(OPERATIONS.getMockEndpoint, { path: [id], options });
  }

  /**
   * Deletes a mock endpoint.
   *
   * The URL of the endpoint then returns 404. Other servers do so within a second.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `endpoints:write`.
   *
   * @param id Id of a mock endpoint.
   */
  delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.deleteMockEndpoint, { path: [id], options });
  }
}

/** The operations of `client.jobs`. */
export class JobsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the sync jobs.
   *
   * By default, the newest jobs come first.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:read`.
   */
  list(query?: ListSyncJobsQuery, options?: CallOptions): Promise<ListSyncJobsResult> {
    return this.#transport.call(OPERATIONS.listSyncJobs, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(query?: ListSyncJobsQuery, options?: CallOptions): AsyncGenerator<ListedSyncJob, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listSyncJobs, { query, options });
  }

  /**
   * Creates and runs a sync job.
   *
   * The request is checked as far as possible without an agent, and the response contains all problems.
   * The job then waits for an agent. The target is unchanged until the job completes, and stays
   * unchanged if the job fails.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:write`.
   */
  create(body: CreateSyncJobRequest, options?: KeyedCallOptions): Promise<SyncJob> {
    return this.#transport.call(OPERATIONS.createSyncJob, { body, options });
  }

  /**
   * Runs a sync job again.
   *
   * Creates a job with the request of this one, as the control plane stores it. This includes the parts
   * that no response shows, the seed and `now`. A dry run is repeated as a dry run. The request is
   * checked like a new one, with the models and generators of today, and the policy of the agent decides
   * again. A job with a connection URL cannot be repeated, because the control plane cannot read it, nor
   * can one whose definition was removed some time after its end.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:write`.
   *
   * @param id Id of a sync job.
   */
  runAgain(id: string, options?: KeyedCallOptions): Promise<SyncJob> {
    return this.#transport.call(OPERATIONS.runSyncJobAgain, { path: [id], options });
  }

  /**
   * Shows a sync job.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:read`.
   *
   * @param id Id of a sync job.
   */
  get(id: string, query?: GetSyncJobQuery, options?: CallOptions): Promise<SyncJob> {
    return this.#transport.call(OPERATIONS.getSyncJob, { path: [id], query, options });
  }

  /**
   * Cancels a sync job, or deletes a job that has ended.
   *
   * A pending or running job is cancelled. It ends as `failed` with the code `cancelled`, or as
   * `completed` if its target was already switched. A job that has ended is deleted.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:write`.
   *
   * @param id Id of a sync job.
   */
  delete(id: string, options?: CallOptions): Promise<DeletedSyncJob | CancelledSyncJob> {
    return this.#transport.call(OPERATIONS.deleteSyncJob, { path: [id], options });
  }

  /**
   * Shows the request with which a sync job was accepted.
   *
   * Returns the request with which the job was accepted, with the defaults that were applied. You can
   * change `definition` and post it as a new job. It omits connection URLs, conditions, and literals in
   * rules that can be values of rows. Each of them is null, and its path is in `withheld`. Fill them in
   * before you post the definition: null is refused at each of these paths. The control plane removes
   * the definition some time after the job has ended; the operation then returns 404.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:read`.
   *
   * @param id Id of a sync job.
   */
  getDefinition(id: string, options?: CallOptions): Promise<SyncJobDefinition> {
    return this.#transport.call(OPERATIONS.getSyncJobDefinition, { path: [id], options });
  }

  /**
   * Lists the tables of a sync job with their progress.
   *
   * To follow a running job, list the tables once, and then pass `revision` as `changed_since` in each
   * call. No change is missed, and no call returns more than `per_page` tables.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:read`.
   *
   * @param id Id of a sync job.
   */
  listTables(id: string, query?: ListSyncJobTablesQuery, options?: CallOptions): Promise<SyncJobTablePage> {
    return this.#transport.call(OPERATIONS.listSyncJobTables, { path: [id], query, options });
  }

  /**
   * Takes a sync job away from an agent that has lost its connection.
   *
   * Ends the grace period of an agent that will not come back, so that another agent can get the job.
   * The attempt does not count. As soon as the next attempt has connected to the target, the old agent
   * can change nothing there. If the old agent had already switched the target, the next attempt only
   * reports the result. A job with a cancel request ends as `cancelled`.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:write`.
   *
   * @param id Id of a sync job.
   */
  release(id: string, options?: KeyedCallOptions): Promise<SyncJob> {
    return this.#transport.call(OPERATIONS.releaseSyncJob, { path: [id], options });
  }

  /**
   * Brings back the database that a sync job has replaced.
   *
   * Swaps the target and the database that the job has replaced. The content of the job is kept instead,
   * and a second revert swaps them again. The job must be the last replacement of its target, and its
   * `replaced.kept_until` must not have passed. The status of the job does not change.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:write`.
   *
   * @param id Id of a sync job.
   */
  revert(id: string, options?: KeyedCallOptions): Promise<AcceptedRevert> {
    return this.#transport.call(OPERATIONS.revertSyncJob, { path: [id], options });
  }

  /**
   * Shows a revert of a sync job.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:read`.
   *
   * @param id Id of a sync job.
   *
   * @param revertId Id of a revert.
   */
  getRevert(id: string, revertId: string, options?: CallOptions): Promise<Revert> {
    return this.#transport.call(OPERATIONS.getSyncJobRevert, { path: [id, revertId], options });
  }

  /**
   * Shows what is stored about a sync job.
   *
   * Shows that no row of your databases is stored. `facts` lists what the control plane stores about the
   * job. `messages` lists every field that an agent can send about a job, with the facts that contain
   * it. The audit log, webhook deliveries, the list of private models and the records of refused events
   * repeat some facts.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `jobs:read`.
   *
   * @param id Id of a sync job.
   */
  getStoredData(id: string, options?: CallOptions): Promise<StoredData> {
    return this.#transport.call(OPERATIONS.getSyncJobStoredData, { path: [id], options });
  }
}

/** The operations of `client.snapshots`. */
export class SnapshotsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the snapshots.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `snapshots:read`.
   */
  list(query?: ListSnapshotsQuery, options?: CallOptions): Promise<ListSnapshotsResult> {
    return this.#transport.call(OPERATIONS.listSnapshots, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(
    query?: ListSnapshotsQuery,
    options?: CallOptions,
  ): AsyncGenerator<ListedSnapshot, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listSnapshots, { query, options });
  }

  /**
   * Takes a snapshot of a database.
   *
   * An agent creates the snapshot from one instant of the database, and stores it. No row reaches the
   * control plane. The snapshot counts for the plan while it is `creating` or `ready`.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `snapshots:write`.
   */
  create(body: CreateSnapshotRequest, options?: KeyedCallOptions): Promise<Snapshot> {
    return this.#transport.call(OPERATIONS.createSnapshot, { body, options });
  }

  /**
   * Shows a snapshot.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `snapshots:read`.
   *
   * @param id Id of a snapshot.
   */
  get(id: string, options?: CallOptions): Promise<Snapshot> {
    return this.#transport.call(OPERATIONS.getSnapshot, { path: [id], options });
  }

  /**
   * Deletes a snapshot.
   *
   * A deleted snapshot cannot be restored and does not count for the plan. Waiting restores fail, and a
   * running restore finishes first. A snapshot that is still being created is cancelled.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `snapshots:write`.
   *
   * @param id Id of a snapshot.
   */
  delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.deleteSnapshot, { path: [id], options });
  }

  /**
   * Restores a snapshot into a database.
   *
   * An agent first checks the target within 5 seconds. The response is 409 if the target contains tables
   * and `overwrite` is false, or if the target is in use. It is 503 if no agent responds in time. In
   * these cases nothing is changed. A restore that fails later does not change the target, either.
   *
   * Requires the role `member` or a higher one. A token that is limited to scopes also needs the scope
   * `snapshots:write`.
   *
   * @param id Id of a snapshot.
   */
  restore(id: string, body: RestoreSnapshotRequest, options?: KeyedCallOptions): Promise<AcceptedRestore> {
    return this.#transport.call(OPERATIONS.restoreSnapshot, { path: [id], body, options });
  }

  /**
   * Lists the restores of a snapshot.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `snapshots:read`.
   *
   * @param id Id of a snapshot.
   */
  listRestores(
    id: string,
    query?: ListSnapshotRestoresQuery,
    options?: CallOptions,
  ): Promise<ListSnapshotRestoresResult> {
    return this.#transport.call(OPERATIONS.listSnapshotRestores, { path: [id], query, options });
  }

  /**
   * Iterates over the items of all pages of `listRestores`. Requests the next page when the previous one is used up.
   */
  iterateRestores(
    id: string,
    query?: ListSnapshotRestoresQuery,
    options?: CallOptions,
  ): AsyncGenerator<Restore, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listSnapshotRestores, { path: [id], query, options });
  }

  /**
   * Shows a restore.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `snapshots:read`.
   *
   * @param id Id of a snapshot.
   *
   * @param restoreId Id of a restore.
   */
  getRestore(id: string, restoreId: string, options?: CallOptions): Promise<Restore> {
    return this.#transport.call(OPERATIONS.getSnapshotRestore, { path: [id, restoreId], options });
  }
}

/** The operations of `client.organization`. */
export class OrganizationResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Shows the organisation, its plan and its usage.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `org:read`.
   */
  get(options?: CallOptions): Promise<Organization> {
    return this.#transport.call(OPERATIONS.getOrganization, { options });
  }

  /**
   * Changes the organisation's plan.
   *
   * Limits and quotas of the new plan apply from the next request. Resources beyond the quotas of a
   * smaller plan stay, but you cannot add more.
   *
   * Requires the role `owner` or a higher one. A token that is limited to scopes also needs the scope
   * `org:write`.
   */
  change(body: ChangeOrganizationRequest, options?: CallOptions): Promise<Organization> {
    return this.#transport.call(OPERATIONS.changeOrganization, { body, options });
  }

  /**
   * Shows the usage of the organisation by day.
   *
   * Days are in UTC. Calls of the dashboard and `POST /generate` do not count.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `org:read`.
   */
  usage(query?: GetUsageQuery, options?: CallOptions): Promise<DailyUsage> {
    return this.#transport.call(OPERATIONS.getUsage, { query, options });
  }
}

/** The operations of `client.members`. */
export class MembersResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the members.
   *
   * The newest members come first. Invited members are included.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `org:read`.
   */
  list(query?: ListMembersQuery, options?: CallOptions): Promise<ListMembersResult> {
    return this.#transport.call(OPERATIONS.listMembers, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(query?: ListMembersQuery, options?: CallOptions): AsyncGenerator<Member, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listMembers, { query, options });
  }

  /**
   * Invites a member.
   *
   * You cannot invite a member with a role above your own. If your token is restricted to scopes, every
   * token of the new member is restricted to them, too.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `org:write`.
   */
  invite(body: InviteMemberRequest, options?: KeyedCallOptions): Promise<InvitedMember> {
    return this.#transport.call(OPERATIONS.inviteMember, { body, options });
  }

  /**
   * Turns an invitation into membership and a first API token.
   *
   * An invitation token works once. This operation needs no API token.
   *
   * Requires no token.
   */
  acceptInvitation(body: AcceptInvitationRequest, options?: CallOptions): Promise<JoinedMember> {
    return this.#transport.call(OPERATIONS.acceptInvitation, { body, options });
  }

  /**
   * Shows a member.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `org:read`.
   *
   * @param id Id of a member.
   */
  get(id: string, options?: CallOptions): Promise<Member> {
    return this.#transport.call(OPERATIONS.getMember, { path: [id], options });
  }

  /**
   * Changes a member's role.
   *
   * The change applies from the member's next request. The last owner must stay an owner. A token that
   * is restricted to scopes can raise only members whose `scopes` it covers.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `org:write`.
   *
   * @param id Id of a member.
   */
  change(id: string, body: ChangeMemberRequest, options?: CallOptions): Promise<Member> {
    return this.#transport.call(OPERATIONS.changeMember, { path: [id], body, options });
  }

  /**
   * Removes a member and revokes the tokens and invitations that the member made.
   *
   * Removes the member and revokes the member's tokens. It also revokes the open invitations and unused
   * enrolment tokens that the member made. Every token of the organisation that the member rotated last
   * is revoked, too. The last owner cannot be removed.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `org:write`.
   *
   * @param id Id of a member.
   */
  remove(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.removeMember, { path: [id], options });
  }
}

/** The operations of `client.tokens`. */
export class TokensResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the API tokens.
   *
   * The newest tokens come first. Expired tokens are included.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `tokens:read`.
   */
  list(query?: ListTokensQuery, options?: CallOptions): Promise<ListTokensResult> {
    return this.#transport.call(OPERATIONS.listTokens, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(query?: ListTokensQuery, options?: CallOptions): AsyncGenerator<Token, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listTokens, { query, options });
  }

  /**
   * Creates an API token.
   *
   * A token that is created with a member's token belongs to that member and ends with the membership.
   * You cannot grant more rights than you have.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `tokens:write`.
   */
  create(body: CreateTokenRequest, options?: KeyedCallOptions): Promise<NewToken> {
    return this.#transport.call(OPERATIONS.createToken, { body, options });
  }

  /**
   * Shows an API token.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `tokens:read`.
   *
   * @param id Id of an API token.
   */
  get(id: string, options?: CallOptions): Promise<Token> {
    return this.#transport.call(OPERATIONS.getToken, { path: [id], options });
  }

  /**
   * Revokes an API token.
   *
   * The token is refused from the next request.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `tokens:write`.
   *
   * @param id Id of an API token.
   */
  revoke(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.revokeToken, { path: [id], options });
  }

  /**
   * Replaces the secret of an API token; the old secret stops working.
   *
   * The token keeps its id, role and scopes. Members of any role can rotate their own tokens; other
   * tokens need the role admin. Rotating another member's token invalidates it without showing a new
   * one. `needs_rotation` is then true until that member rotates it with another of their tokens. If the
   * member has no other token, remove the member and invite them again.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `tokens:write`.
   *
   * @param id Id of an API token.
   */
  rotate(id: string, body?: RotateTokenRequest, options?: KeyedCallOptions): Promise<RotatedToken> {
    return this.#transport.call(OPERATIONS.rotateToken, { path: [id], body, options });
  }
}

/** The operations of `client.agents`. */
export class AgentsResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the agents.
   *
   * Returns all agents, including revoked ones. The most recently enrolled agent comes first.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:read`.
   */
  list(query?: ListAgentsQuery, options?: CallOptions): Promise<ListAgentsResult> {
    return this.#transport.call(OPERATIONS.listAgents, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(query?: ListAgentsQuery, options?: CallOptions): AsyncGenerator<Agent, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listAgents, { query, options });
  }

  /**
   * Shows an agent.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:read`.
   *
   * @param id Id of an agent.
   */
  get(id: string, options?: CallOptions): Promise<Agent> {
    return this.#transport.call(OPERATIONS.getAgent, { path: [id], options });
  }

  /**
   * Revokes an agent permanently.
   *
   * A revoked agent gets no further work and no further credentials. If the agent is already revoked,
   * nothing changes.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:write`.
   *
   * @param id Id of an agent.
   */
  revoke(id: string, options?: CallOptions): Promise<RevokedAgent> {
    return this.#transport.call(OPERATIONS.revokeAgent, { path: [id], options });
  }

  /**
   * Lists the models that an agent trained.
   *
   * The models that were trained last come first. The control plane knows only their names and keyed
   * hashes.
   *
   * Requires the role `viewer` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:read`.
   *
   * @param id Id of an agent.
   */
  listModels(
    id: string,
    query?: ListAgentModelsQuery,
    options?: CallOptions,
  ): Promise<ListAgentModelsResult> {
    return this.#transport.call(OPERATIONS.listAgentModels, { path: [id], query, options });
  }

  /**
   * Iterates over the items of all pages of `listModels`. Requests the next page when the previous one is used up.
   */
  iterateModels(
    id: string,
    query?: ListAgentModelsQuery,
    options?: CallOptions,
  ): AsyncGenerator<AgentModel, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listAgentModels, { path: [id], query, options });
  }
}

/** The operations of `client.enrolmentTokens`. */
export class EnrolmentTokensResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the enrolment tokens.
   *
   * Returns all tokens, including used and expired ones. The newest token comes first.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:read`.
   */
  list(query?: ListEnrolmentTokensQuery, options?: CallOptions): Promise<ListEnrolmentTokensResult> {
    return this.#transport.call(OPERATIONS.listEnrolmentTokens, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(
    query?: ListEnrolmentTokensQuery,
    options?: CallOptions,
  ): AsyncGenerator<EnrolmentToken, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listEnrolmentTokens, { query, options });
  }

  /**
   * Creates a token that enrols one agent within an hour.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:write`.
   */
  create(options?: KeyedCallOptions): Promise<NewEnrolmentToken> {
    return this.#transport.call(OPERATIONS.createEnrolmentToken, { options });
  }

  /**
   * Shows an enrolment token.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:read`.
   *
   * @param id Id of an enrolment token.
   */
  get(id: string, options?: CallOptions): Promise<EnrolmentToken> {
    return this.#transport.call(OPERATIONS.getEnrolmentToken, { path: [id], options });
  }

  /**
   * Revokes an enrolment token.
   *
   * An agent that the token enrolled stays enrolled.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `agents:write`.
   *
   * @param id Id of an enrolment token.
   */
  revoke(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.revokeEnrolmentToken, { path: [id], options });
  }
}

/** The operations of `client.webhooks`. */
export class WebhooksResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the webhooks.
   *
   * The newest webhooks come first. Disabled webhooks are included.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:read`.
   */
  list(query?: ListWebhooksQuery, options?: CallOptions): Promise<ListWebhooksResult> {
    return this.#transport.call(OPERATIONS.listWebhooks, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(query?: ListWebhooksQuery, options?: CallOptions): AsyncGenerator<Webhook, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listWebhooks, { query, options });
  }

  /**
   * Creates a webhook.
   *
   * Each event is sent as a POST of `{id, event, timestamp, data}` or in the chosen format, signed with
   * the secret in this response. `X-Service-Signature` is the HMAC-SHA256 of the raw body in lower-case
   * hex. The three headers of Standard Webhooks are sent, too.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:write`.
   */
  create(body: CreateWebhookRequest, options?: KeyedCallOptions): Promise<WebhookWithSecret> {
    return this.#transport.call(OPERATIONS.createWebhook, { body, options });
  }

  /**
   * Shows a webhook.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:read`.
   *
   * @param id Id of a webhook.
   */
  get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#transport.call(OPERATIONS.getWebhook, { path: [id], options });
  }

  /**
   * Changes, disables or enables a webhook.
   *
   * Disabling a webhook fails its pending deliveries. Events that occur while it is disabled are not
   * sent later.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:write`.
   *
   * @param id Id of a webhook.
   */
  change(id: string, body?: ChangeWebhookRequest, options?: CallOptions): Promise<Webhook> {
    return this.#transport.call(OPERATIONS.changeWebhook, { path: [id], body, options });
  }

  /**
   * Deletes a webhook and its deliveries.
   *
   * Deletes a webhook and its deliveries.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:write`.
   *
   * @param id Id of a webhook.
   */
  delete(id: string, options?: CallOptions): Promise<Deleted> {
    return this.#transport.call(OPERATIONS.deleteWebhook, { path: [id], options });
  }

  /**
   * Replaces the secret of a webhook.
   *
   * The new secret signs `X-Service-Signature` immediately. Until the previous secret expires,
   * `webhook-signature` contains a signature of each secret.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:write`.
   *
   * @param id Id of a webhook.
   */
  rotateSecret(
    id: string,
    body?: RotateWebhookSecretRequest,
    options?: KeyedCallOptions,
  ): Promise<WebhookWithSecret> {
    return this.#transport.call(OPERATIONS.rotateWebhookSecret, { path: [id], body, options });
  }

  /**
   * Sends a test event to a webhook.
   *
   * Sends the test event `{id, event: "webhook.test", timestamp, data: {webhook_id}}` in the format of
   * the webhook. The subscriptions of the webhook do not matter.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:write`.
   *
   * @param id Id of a webhook.
   */
  test(id: string, options?: KeyedCallOptions): Promise<WebhookDelivery> {
    return this.#transport.call(OPERATIONS.testWebhook, { path: [id], options });
  }

  /**
   * Lists the deliveries of a webhook.
   *
   * The newest deliveries come first. The log covers thirty days.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:read`.
   *
   * @param id Id of a webhook.
   */
  listDeliveries(
    id: string,
    query?: ListWebhookDeliveriesQuery,
    options?: CallOptions,
  ): Promise<ListWebhookDeliveriesResult> {
    return this.#transport.call(OPERATIONS.listWebhookDeliveries, { path: [id], query, options });
  }

  /**
   * Iterates over the items of all pages of `listDeliveries`. Requests the next page when the previous one is used up.
   */
  iterateDeliveries(
    id: string,
    query?: ListWebhookDeliveriesQuery,
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listWebhookDeliveries, { path: [id], query, options });
  }

  /**
   * Shows a delivery.
   *
   * Shows the exact body, and the URL and headers of the newest attempt.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:read`.
   *
   * @param id Id of a delivery.
   */
  getDelivery(id: string, options?: CallOptions): Promise<WebhookDeliveryWithRequest> {
    return this.#transport.call(OPERATIONS.getWebhookDelivery, { path: [id], options });
  }

  /**
   * Sends an event again with the same event id.
   *
   * Sends the same event with the same id and body as a new delivery.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:write`.
   *
   * @param id Id of a delivery.
   */
  resendDelivery(id: string, options?: KeyedCallOptions): Promise<WebhookDelivery> {
    return this.#transport.call(OPERATIONS.resendWebhookDelivery, { path: [id], options });
  }

  /**
   * Sends the events of failed deliveries again.
   *
   * Sends the events of failed deliveries again, with the same ids and bodies, as new deliveries. Each
   * event is sent once, oldest first. Events that were delivered to this webhook or are pending are left
   * out. One request sends at most 1000 events; `has_more` reports whether others remain.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `webhooks:write`.
   *
   * @param id Id of a webhook.
   */
  recoverDeliveries(
    id: string,
    body: RecoverWebhookDeliveriesRequest,
    options?: KeyedCallOptions,
  ): Promise<WebhookRecovery> {
    return this.#transport.call(OPERATIONS.recoverWebhookDeliveries, { path: [id], body, options });
  }
}

/** The operations of `client.auditLog`. */
export class AuditLogResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists the entries of the audit log.
   *
   * Returns the newest entry first. Entries never change. They are deleted after the retention time that
   * the operator configures (two years by default). `details.email` is absent if the address of a
   * removed member was erased.
   *
   * Requires the role `admin` or a higher one. A token that is limited to scopes also needs the scope
   * `audit:read`.
   */
  list(query?: ListAuditEntriesQuery, options?: CallOptions): Promise<ListAuditEntriesResult> {
    return this.#transport.call(OPERATIONS.listAuditEntries, { query, options });
  }

  /**
   * Iterates over the items of all pages of `list`. Requests the next page when the previous one is used up.
   */
  iterate(query?: ListAuditEntriesQuery, options?: CallOptions): AsyncGenerator<AuditEntry, void, undefined> {
    return this.#transport.iterate(OPERATIONS.listAuditEntries, { query, options });
  }
}
