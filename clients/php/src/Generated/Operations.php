<?php

// Generated from docs/reference/openapi.json by `npm run generate`. Do not edit.

declare(strict_types=1);

namespace Understudy\Generated;

use Understudy\Internal\Operation;

/** The operations of the API. */
final class Operations
{
    /** @internal */
    public static function get(string $id): Operation
    {
        return match ($id) {
            'generate' => new Operation(
                'generate',
                'POST',
                '/generate',
                retry: 'beforeFirstByte',
                objects: ['schema', 'schema.generators'],
            ),
            'listModels' => new Operation('listModels', 'GET', '/models'),
            'uploadModel' => new Operation('uploadModel', 'POST', '/models', key: true, files: ['file']),
            'getModel' => new Operation('getModel', 'GET', '/models/{id}'),
            'deleteModel' => new Operation('deleteModel', 'DELETE', '/models/{id}'),
            'downloadModel' => new Operation('downloadModel', 'GET', '/models/{id}/content', enveloped: false),
            'listGenerators' => new Operation('listGenerators', 'GET', '/generators'),
            'registerGenerator' => new Operation(
                'registerGenerator',
                'POST',
                '/generators',
                key: true,
                objects: ['params', 'let'],
            ),
            'getGenerator' => new Operation('getGenerator', 'GET', '/generators/{id}'),
            'deleteGenerator' => new Operation('deleteGenerator', 'DELETE', '/generators/{id}'),
            'listMockEndpoints' => new Operation('listMockEndpoints', 'GET', '/mock/endpoints'),
            'createMockEndpoint' => new Operation(
                'createMockEndpoint',
                'POST',
                '/mock/endpoints',
                key: true,
                objects: ['schema', 'response', 'response.headers', 'response.latency_ms'],
            ),
            'getMockEndpoint' => new Operation('getMockEndpoint', 'GET', '/mock/endpoints/{id}'),
            'deleteMockEndpoint' => new Operation('deleteMockEndpoint', 'DELETE', '/mock/endpoints/{id}'),
            'listSyncJobs' => new Operation('listSyncJobs', 'GET', '/sync/jobs'),
            'createSyncJob' => new Operation(
                'createSyncJob',
                'POST',
                '/sync/jobs',
                key: true,
                objects: ['source', 'target', 'agent', 'tables.*', 'tables.*.columns', 'tables.*.columns.*', 'tables.*.subset'],
            ),
            'runSyncJobAgain' => new Operation('runSyncJobAgain', 'POST', '/sync/jobs/{id}/runs', key: true),
            'getSyncJob' => new Operation('getSyncJob', 'GET', '/sync/jobs/{id}'),
            'deleteSyncJob' => new Operation('deleteSyncJob', 'DELETE', '/sync/jobs/{id}', retry: 'never'),
            'getSyncJobDefinition' => new Operation('getSyncJobDefinition', 'GET', '/sync/jobs/{id}/definition'),
            'listSyncJobTables' => new Operation('listSyncJobTables', 'GET', '/sync/jobs/{id}/tables'),
            'releaseSyncJob' => new Operation('releaseSyncJob', 'POST', '/sync/jobs/{id}/release', key: true),
            'revertSyncJob' => new Operation('revertSyncJob', 'POST', '/sync/jobs/{id}/revert', key: true),
            'getSyncJobRevert' => new Operation('getSyncJobRevert', 'GET', '/sync/jobs/{id}/reverts/{revert_id}'),
            'getSyncJobStoredData' => new Operation('getSyncJobStoredData', 'GET', '/sync/jobs/{id}/stored-data'),
            'listSnapshots' => new Operation('listSnapshots', 'GET', '/snapshots'),
            'createSnapshot' => new Operation('createSnapshot', 'POST', '/snapshots', key: true, objects: ['agent']),
            'getSnapshot' => new Operation('getSnapshot', 'GET', '/snapshots/{id}'),
            'deleteSnapshot' => new Operation('deleteSnapshot', 'DELETE', '/snapshots/{id}'),
            'restoreSnapshot' => new Operation(
                'restoreSnapshot',
                'POST',
                '/snapshots/{id}/restore',
                key: true,
                objects: ['agent'],
            ),
            'listSnapshotRestores' => new Operation('listSnapshotRestores', 'GET', '/snapshots/{id}/restores'),
            'getSnapshotRestore' => new Operation(
                'getSnapshotRestore',
                'GET',
                '/snapshots/{id}/restores/{restore_id}',
            ),
            'whoami' => new Operation('whoami', 'GET', '/whoami'),
            'getOrganization' => new Operation('getOrganization', 'GET', '/org'),
            'changeOrganization' => new Operation('changeOrganization', 'PATCH', '/org'),
            'getUsage' => new Operation('getUsage', 'GET', '/usage'),
            'listMembers' => new Operation('listMembers', 'GET', '/org/members'),
            'inviteMember' => new Operation('inviteMember', 'POST', '/org/members', key: true),
            'acceptInvitation' => new Operation(
                'acceptInvitation',
                'POST',
                '/org/members/accept',
                retry: 'never',
                public: true,
            ),
            'getMember' => new Operation('getMember', 'GET', '/org/members/{id}'),
            'changeMember' => new Operation('changeMember', 'PATCH', '/org/members/{id}'),
            'removeMember' => new Operation('removeMember', 'DELETE', '/org/members/{id}'),
            'listTokens' => new Operation('listTokens', 'GET', '/tokens'),
            'createToken' => new Operation('createToken', 'POST', '/tokens', key: true),
            'getToken' => new Operation('getToken', 'GET', '/tokens/{id}'),
            'revokeToken' => new Operation('revokeToken', 'DELETE', '/tokens/{id}'),
            'rotateToken' => new Operation('rotateToken', 'POST', '/tokens/{id}/rotate', key: true),
            'listAgents' => new Operation('listAgents', 'GET', '/agents'),
            'getAgent' => new Operation('getAgent', 'GET', '/agents/{id}'),
            'revokeAgent' => new Operation('revokeAgent', 'DELETE', '/agents/{id}'),
            'listEnrolmentTokens' => new Operation('listEnrolmentTokens', 'GET', '/agents/enrolment-tokens'),
            'createEnrolmentToken' => new Operation(
                'createEnrolmentToken',
                'POST',
                '/agents/enrolment-tokens',
                key: true,
            ),
            'getEnrolmentToken' => new Operation('getEnrolmentToken', 'GET', '/agents/enrolment-tokens/{id}'),
            'revokeEnrolmentToken' => new Operation('revokeEnrolmentToken', 'DELETE', '/agents/enrolment-tokens/{id}'),
            'listAgentModels' => new Operation('listAgentModels', 'GET', '/agents/{id}/models'),
            'listWebhooks' => new Operation('listWebhooks', 'GET', '/webhooks'),
            'createWebhook' => new Operation('createWebhook', 'POST', '/webhooks', key: true),
            'getWebhook' => new Operation('getWebhook', 'GET', '/webhooks/{id}'),
            'changeWebhook' => new Operation('changeWebhook', 'PATCH', '/webhooks/{id}'),
            'deleteWebhook' => new Operation('deleteWebhook', 'DELETE', '/webhooks/{id}'),
            'rotateWebhookSecret' => new Operation('rotateWebhookSecret', 'POST', '/webhooks/{id}/rotate', key: true),
            'testWebhook' => new Operation('testWebhook', 'POST', '/webhooks/{id}/test', key: true),
            'listWebhookDeliveries' => new Operation('listWebhookDeliveries', 'GET', '/webhooks/{id}/deliveries'),
            'getWebhookDelivery' => new Operation('getWebhookDelivery', 'GET', '/webhooks/deliveries/{id}'),
            'resendWebhookDelivery' => new Operation(
                'resendWebhookDelivery',
                'POST',
                '/webhooks/deliveries/{id}/resend',
                key: true,
            ),
            'recoverWebhookDeliveries' => new Operation(
                'recoverWebhookDeliveries',
                'POST',
                '/webhooks/{id}/recover',
                key: true,
            ),
            'listAuditEntries' => new Operation('listAuditEntries', 'GET', '/audit-log'),
            'getApiDescription' => new Operation(
                'getApiDescription',
                'GET',
                '/openapi.json',
                public: true,
                enveloped: false,
            ),
        };
    }
}
