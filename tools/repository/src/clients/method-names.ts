/**
 * The method of a client for each operation of the API: `resource.method`, in camelCase. Each emitter writes the
 * names in its language's case. A method without a dot belongs to the client itself.
 */
export const METHOD_NAMES: Readonly<Record<string, string>> = {
  generate: 'generate',
  listModels: 'models.list',
  uploadModel: 'models.upload',
  getModel: 'models.get',
  deleteModel: 'models.delete',
  listGenerators: 'generators.list',
  registerGenerator: 'generators.register',
  getGenerator: 'generators.get',
  deleteGenerator: 'generators.delete',
  listMockEndpoints: 'mockEndpoints.list',
  createMockEndpoint: 'mockEndpoints.create',
  getMockEndpoint: 'mockEndpoints.get',
  deleteMockEndpoint: 'mockEndpoints.delete',
  listSyncJobs: 'jobs.list',
  createSyncJob: 'jobs.create',
  getSyncJob: 'jobs.get',
  getSyncJobStoredData: 'jobs.getStoredData',
  deleteSyncJob: 'jobs.delete',
  releaseSyncJob: 'jobs.release',
  listSnapshots: 'snapshots.list',
  createSnapshot: 'snapshots.create',
  getSnapshot: 'snapshots.get',
  deleteSnapshot: 'snapshots.delete',
  restoreSnapshot: 'snapshots.restore',
  getSnapshotRestore: 'snapshots.getRestore',
  whoami: 'whoami',
  getOrganization: 'organization.get',
  changeOrganization: 'organization.change',
  listMembers: 'members.list',
  inviteMember: 'members.invite',
  acceptInvitation: 'members.acceptInvitation',
  getMember: 'members.get',
  changeMember: 'members.change',
  removeMember: 'members.remove',
  listTokens: 'tokens.list',
  createToken: 'tokens.create',
  getToken: 'tokens.get',
  revokeToken: 'tokens.revoke',
  rotateToken: 'tokens.rotate',
  listAgents: 'agents.list',
  getAgent: 'agents.get',
  revokeAgent: 'agents.revoke',
  listAgentModels: 'agents.listModels',
  listEnrolmentTokens: 'enrolmentTokens.list',
  createEnrolmentToken: 'enrolmentTokens.create',
  getEnrolmentToken: 'enrolmentTokens.get',
  revokeEnrolmentToken: 'enrolmentTokens.revoke',
  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  getWebhook: 'webhooks.get',
  changeWebhook: 'webhooks.change',
  deleteWebhook: 'webhooks.delete',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  testWebhook: 'webhooks.test',
  listWebhookDeliveries: 'webhooks.listDeliveries',
  getWebhookDelivery: 'webhooks.getDelivery',
  resendWebhookDelivery: 'webhooks.resendDelivery',
  recoverWebhookDeliveries: 'webhooks.recoverDeliveries',
  listAuditEntries: 'auditLog.list',
  getApiDescription: 'apiDescription',
};

/** The operations that only an agent calls. A client does not offer them. */
export const AGENT_OPERATIONS: ReadonlySet<string> = new Set([
  'enrolAgent',
  'renewAgent',
  'fetchHostedModel',
]);

/**
 * The operations that a client never repeats. A second DELETE of a sync job can delete a job that the first one
 * cancelled. Accepting an invitation takes no idempotency key.
 */
export const NEVER_REPEATED: ReadonlySet<string> = new Set(['deleteSyncJob', 'acceptInvitation']);

/**
 * Short names for types that would otherwise be named after the place where they occur. Types with the same short name
 * must have the same fields.
 */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  CreateSyncJobSource: 'Database',
  CreateSyncJobTarget: 'Database',
  CreateSyncJobAgent: 'AgentSelector',
  CreateSnapshotAgent: 'AgentSelector',
  RestoreSnapshotAgent: 'AgentSelector',
  CreateSyncJobTable: 'TableRequest',
  CreateSyncJobTableSubset: 'TableSubset',
  CreateMockEndpointResponse: 'MockResponseRequest',
  CreateMockEndpointResponseLatencyMs2: 'LatencyRange',
  MockResponseLatencyMs2: 'LatencyRange',
  SyncJobAgent: 'AgentReference',
  SnapshotAgent: 'AgentReference',
  RestoreAgent: 'AgentReference',
  SyncJobPredictionProblemDetail: 'FieldProblem',
  SyncJobErrorDetail: 'FieldProblem',
  SyncJobSubsetItem: 'SyncJobSubset',
  SyncJobTableProgressItem: 'SyncJobTableProgress',
  SyncJobVerificationCheckRows: 'SyncJobRowCounts',
  SnapshotError: 'Failure',
  RestoreError: 'Failure',
  OrganizationUsageSyncJobs: 'UsageCount',
  OrganizationUsageEndpoints: 'UsageCount',
  OrganizationUsageSnapshots: 'UsageCount',
  OrganizationUsageApiCalls: 'UsageCount',
  RestoreProgress: 'SnapshotProgress',
  WebhookDeliveryWithTry: 'WebhookDeliveryTry',
  WebhookDeliveryWithLastRequest: 'WebhookDeliveryRequest',
};
