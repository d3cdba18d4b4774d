"""The operations of the API.

Written by `npm run generate` from docs/reference/openapi.json. Do not edit.
"""

from __future__ import annotations

from typing import Any

from .._core.request import Operation
from . import types

GENERATE: Operation[types.GenerateResult] = Operation(
    id="generate",
    name="generate",
    method="POST",
    path="/generate",
)

LIST_MODELS: Operation[types.ListModelsResult] = Operation(
    id="listModels",
    name="models.list",
    method="GET",
    path="/models",
    items="models",
)

UPLOAD_MODEL: Operation[types.UploadedModel] = Operation(
    id="uploadModel",
    name="models.upload",
    method="POST",
    path="/models",
    idempotency_key=True,
    multipart=True,
)

GET_MODEL: Operation[types.GetModelResult] = Operation(
    id="getModel",
    name="models.get",
    method="GET",
    path="/models/{id}",
)

DELETE_MODEL: Operation[types.Deleted] = Operation(
    id="deleteModel",
    name="models.delete",
    method="DELETE",
    path="/models/{id}",
)

LIST_GENERATORS: Operation[types.ListGeneratorsResult] = Operation(
    id="listGenerators",
    name="generators.list",
    method="GET",
    path="/generators",
    items="generators",
)

REGISTER_GENERATOR: Operation[types.Generator] = Operation(
    id="registerGenerator",
    name="generators.register",
    method="POST",
    path="/generators",
    idempotency_key=True,
)

GET_GENERATOR: Operation[types.Generator] = Operation(
    id="getGenerator",
    name="generators.get",
    method="GET",
    path="/generators/{id}",
)

DELETE_GENERATOR: Operation[types.Deleted] = Operation(
    id="deleteGenerator",
    name="generators.delete",
    method="DELETE",
    path="/generators/{id}",
)

LIST_MOCK_ENDPOINTS: Operation[types.ListMockEndpointsResult] = Operation(
    id="listMockEndpoints",
    name="mock_endpoints.list",
    method="GET",
    path="/mock/endpoints",
    items="endpoints",
)

CREATE_MOCK_ENDPOINT: Operation[types.MockEndpoint] = Operation(
    id="createMockEndpoint",
    name="mock_endpoints.create",
    method="POST",
    path="/mock/endpoints",
    idempotency_key=True,
)

GET_MOCK_ENDPOINT: Operation[types.MockEndpoint] = Operation(
    id="getMockEndpoint",
    name="mock_endpoints.get",
    method="GET",
    path="/mock/endpoints/{id}",
)

DELETE_MOCK_ENDPOINT: Operation[types.Deleted] = Operation(
    id="deleteMockEndpoint",
    name="mock_endpoints.delete",
    method="DELETE",
    path="/mock/endpoints/{id}",
)

LIST_SYNC_JOBS: Operation[types.ListSyncJobsResult] = Operation(
    id="listSyncJobs",
    name="jobs.list",
    method="GET",
    path="/sync/jobs",
    items="jobs",
)

CREATE_SYNC_JOB: Operation[types.SyncJob] = Operation(
    id="createSyncJob",
    name="jobs.create",
    method="POST",
    path="/sync/jobs",
    idempotency_key=True,
)

GET_SYNC_JOB: Operation[types.SyncJob] = Operation(
    id="getSyncJob",
    name="jobs.get",
    method="GET",
    path="/sync/jobs/{id}",
)

DELETE_SYNC_JOB: Operation[types.DeleteSyncJobResult] = Operation(
    id="deleteSyncJob",
    name="jobs.delete",
    method="DELETE",
    path="/sync/jobs/{id}",
    repeatable=False,
)

RELEASE_SYNC_JOB: Operation[types.SyncJob] = Operation(
    id="releaseSyncJob",
    name="jobs.release",
    method="POST",
    path="/sync/jobs/{id}/release",
    idempotency_key=True,
)

LIST_SNAPSHOTS: Operation[types.ListSnapshotsResult] = Operation(
    id="listSnapshots",
    name="snapshots.list",
    method="GET",
    path="/snapshots",
    items="snapshots",
)

CREATE_SNAPSHOT: Operation[types.Snapshot] = Operation(
    id="createSnapshot",
    name="snapshots.create",
    method="POST",
    path="/snapshots",
    idempotency_key=True,
)

GET_SNAPSHOT: Operation[types.Snapshot] = Operation(
    id="getSnapshot",
    name="snapshots.get",
    method="GET",
    path="/snapshots/{id}",
)

DELETE_SNAPSHOT: Operation[types.Deleted] = Operation(
    id="deleteSnapshot",
    name="snapshots.delete",
    method="DELETE",
    path="/snapshots/{id}",
)

RESTORE_SNAPSHOT: Operation[types.AcceptedRestore] = Operation(
    id="restoreSnapshot",
    name="snapshots.restore",
    method="POST",
    path="/snapshots/{id}/restore",
    idempotency_key=True,
)

GET_SNAPSHOT_RESTORE: Operation[types.Restore] = Operation(
    id="getSnapshotRestore",
    name="snapshots.get_restore",
    method="GET",
    path="/snapshots/{id}/restores/{restore_id}",
)

GET_ORGANIZATION: Operation[types.Organization] = Operation(
    id="getOrganization",
    name="organization.get",
    method="GET",
    path="/org",
)

CHANGE_ORGANIZATION: Operation[types.Organization] = Operation(
    id="changeOrganization",
    name="organization.change",
    method="PATCH",
    path="/org",
)

LIST_MEMBERS: Operation[types.ListMembersResult] = Operation(
    id="listMembers",
    name="members.list",
    method="GET",
    path="/org/members",
    items="members",
)

INVITE_MEMBER: Operation[types.InvitedMember] = Operation(
    id="inviteMember",
    name="members.invite",
    method="POST",
    path="/org/members",
    idempotency_key=True,
)

ACCEPT_INVITATION: Operation[types.JoinedMember] = Operation(
    id="acceptInvitation",
    name="members.accept_invitation",
    method="POST",
    path="/org/members/accept",
    repeatable=False,
    public=True,
)

GET_MEMBER: Operation[types.Member] = Operation(
    id="getMember",
    name="members.get",
    method="GET",
    path="/org/members/{id}",
)

CHANGE_MEMBER: Operation[types.Member] = Operation(
    id="changeMember",
    name="members.change",
    method="PATCH",
    path="/org/members/{id}",
)

REMOVE_MEMBER: Operation[types.Deleted] = Operation(
    id="removeMember",
    name="members.remove",
    method="DELETE",
    path="/org/members/{id}",
)

LIST_TOKENS: Operation[types.ListTokensResult] = Operation(
    id="listTokens",
    name="tokens.list",
    method="GET",
    path="/tokens",
    items="tokens",
)

CREATE_TOKEN: Operation[types.NewToken] = Operation(
    id="createToken",
    name="tokens.create",
    method="POST",
    path="/tokens",
    idempotency_key=True,
)

GET_TOKEN: Operation[types.Token] = Operation(
    id="getToken",
    name="tokens.get",
    method="GET",
    path="/tokens/{id}",
)

REVOKE_TOKEN: Operation[types.Deleted] = Operation(
    id="revokeToken",
    name="tokens.revoke",
    method="DELETE",
    path="/tokens/{id}",
)

ROTATE_TOKEN: Operation[types.RotatedToken] = Operation(
    id="rotateToken",
    name="tokens.rotate",
    method="POST",
    path="/tokens/{id}/rotate",
    idempotency_key=True,
)

LIST_AGENTS: Operation[types.ListAgentsResult] = Operation(
    id="listAgents",
    name="agents.list",
    method="GET",
    path="/agents",
    items="agents",
)

GET_AGENT: Operation[types.Agent] = Operation(
    id="getAgent",
    name="agents.get",
    method="GET",
    path="/agents/{id}",
)

REVOKE_AGENT: Operation[types.RevokedAgent] = Operation(
    id="revokeAgent",
    name="agents.revoke",
    method="DELETE",
    path="/agents/{id}",
)

LIST_AGENT_MODELS: Operation[types.ListAgentModelsResult] = Operation(
    id="listAgentModels",
    name="agents.list_models",
    method="GET",
    path="/agents/{id}/models",
    items="models",
)

LIST_ENROLMENT_TOKENS: Operation[types.ListEnrolmentTokensResult] = Operation(
    id="listEnrolmentTokens",
    name="enrolment_tokens.list",
    method="GET",
    path="/agents/enrolment-tokens",
    items="enrolment_tokens",
)

CREATE_ENROLMENT_TOKEN: Operation[types.NewEnrolmentToken] = Operation(
    id="createEnrolmentToken",
    name="enrolment_tokens.create",
    method="POST",
    path="/agents/enrolment-tokens",
    idempotency_key=True,
)

GET_ENROLMENT_TOKEN: Operation[types.EnrolmentToken] = Operation(
    id="getEnrolmentToken",
    name="enrolment_tokens.get",
    method="GET",
    path="/agents/enrolment-tokens/{id}",
)

REVOKE_ENROLMENT_TOKEN: Operation[types.Deleted] = Operation(
    id="revokeEnrolmentToken",
    name="enrolment_tokens.revoke",
    method="DELETE",
    path="/agents/enrolment-tokens/{id}",
)

LIST_WEBHOOKS: Operation[types.ListWebhooksResult] = Operation(
    id="listWebhooks",
    name="webhooks.list",
    method="GET",
    path="/webhooks",
    items="webhooks",
)

CREATE_WEBHOOK: Operation[types.WebhookWithSecret] = Operation(
    id="createWebhook",
    name="webhooks.create",
    method="POST",
    path="/webhooks",
    idempotency_key=True,
)

GET_WEBHOOK: Operation[types.Webhook] = Operation(
    id="getWebhook",
    name="webhooks.get",
    method="GET",
    path="/webhooks/{id}",
)

CHANGE_WEBHOOK: Operation[types.Webhook] = Operation(
    id="changeWebhook",
    name="webhooks.change",
    method="PATCH",
    path="/webhooks/{id}",
)

DELETE_WEBHOOK: Operation[types.Deleted] = Operation(
    id="deleteWebhook",
    name="webhooks.delete",
    method="DELETE",
    path="/webhooks/{id}",
)

ROTATE_WEBHOOK_SECRET: Operation[types.WebhookWithSecret] = Operation(
    id="rotateWebhookSecret",
    name="webhooks.rotate_secret",
    method="POST",
    path="/webhooks/{id}/rotate",
    idempotency_key=True,
)

TEST_WEBHOOK: Operation[types.WebhookDelivery] = Operation(
    id="testWebhook",
    name="webhooks.test",
    method="POST",
    path="/webhooks/{id}/test",
    idempotency_key=True,
)

LIST_WEBHOOK_DELIVERIES: Operation[types.ListWebhookDeliveriesResult] = Operation(
    id="listWebhookDeliveries",
    name="webhooks.list_deliveries",
    method="GET",
    path="/webhooks/{id}/deliveries",
    items="deliveries",
)

GET_WEBHOOK_DELIVERY: Operation[types.WebhookDelivery] = Operation(
    id="getWebhookDelivery",
    name="webhooks.get_delivery",
    method="GET",
    path="/webhooks/deliveries/{id}",
)

RESEND_WEBHOOK_DELIVERY: Operation[types.WebhookDelivery] = Operation(
    id="resendWebhookDelivery",
    name="webhooks.resend_delivery",
    method="POST",
    path="/webhooks/deliveries/{id}/resend",
    idempotency_key=True,
)

LIST_AUDIT_ENTRIES: Operation[types.ListAuditEntriesResult] = Operation(
    id="listAuditEntries",
    name="audit_log.list",
    method="GET",
    path="/audit-log",
    items="entries",
)

GET_API_DESCRIPTION: Operation[dict[str, Any]] = Operation(
    id="getApiDescription",
    name="api_description",
    method="GET",
    path="/openapi.json",
    public=True,
    enveloped=False,
)
