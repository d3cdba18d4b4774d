import { testsIn } from '../../named-tests/named-tests.js';

const CONTROL_PLANE = 'apps/control-plane/test';
const GENERATOR = 'libs/generator';
const E2E = 'apps/agent/test/e2e';
const SCENARIOS = 'clients/test/scenarios';

// The test suites that rows refer to. Each function returns the test of its suite with a given title.

export const generation = testsIn(`${CONTROL_PLANE}/conformance/generation.spec.ts`);
export const generators = testsIn(`${CONTROL_PLANE}/conformance/generators.spec.ts`);
export const mocks = testsIn(`${CONTROL_PLANE}/conformance/mock-endpoints.spec.ts`);
export const models = testsIn(`${CONTROL_PLANE}/conformance/models.spec.ts`);
export const service = testsIn(`${CONTROL_PLANE}/conformance/service.spec.ts`);
export const snapshots = testsIn(`${CONTROL_PLANE}/conformance/snapshots.spec.ts`);
export const syncJobs = testsIn(`${CONTROL_PLANE}/conformance/sync-jobs.spec.ts`);
export const webhooks = testsIn(`${CONTROL_PLANE}/conformance/webhooks.spec.ts`);

export const generateApi = testsIn(`${CONTROL_PLANE}/integration/generation/generate.spec.ts`);
export const generatorsApi = testsIn(`${CONTROL_PLANE}/integration/models/generators-api.spec.ts`);
export const httpEdge = testsIn(`${CONTROL_PLANE}/integration/http/http-edge.spec.ts`);
export const jobFlow = testsIn(`${CONTROL_PLANE}/integration/sync-jobs/sync-jobs-flow.spec.ts`);
export const jobsApi = testsIn(`${CONTROL_PLANE}/integration/sync-jobs/sync-jobs-api.spec.ts`);
export const members = testsIn(`${CONTROL_PLANE}/integration/organization/members-api.spec.ts`);
export const mockApi = testsIn(`${CONTROL_PLANE}/integration/mock-endpoints/mock-endpoints-api.spec.ts`);
export const mockServing = testsIn(`${CONTROL_PLANE}/integration/mock-endpoints/mock-serving.spec.ts`);
export const modelsApi = testsIn(`${CONTROL_PLANE}/integration/models/models-api.spec.ts`);
export const operations = testsIn(`${CONTROL_PLANE}/integration/http/operations.spec.ts`);
export const outages = testsIn(`${CONTROL_PLANE}/integration/processes/outages.spec.ts`);
export const receivers = testsIn(`${CONTROL_PLANE}/integration/webhooks/receivers.spec.ts`);
export const tokens = testsIn(`${CONTROL_PLANE}/integration/tokens/tokens-api.spec.ts`);
export const usage = testsIn(`${CONTROL_PLANE}/integration/organization/usage.spec.ts`);
export const webhooksInt = testsIn(`${CONTROL_PLANE}/integration/webhooks/webhooks.spec.ts`);
export const webhookEvents = testsIn(
  'apps/control-plane/src/jobs/sync-jobs/events/sync-job-webhook-events.spec.ts',
);

export const noRowLeaves = testsIn(`${E2E}/no-row-leaves.spec.ts`);
export const snapshotsE2e = testsIn(`${E2E}/snapshots-over-rest.spec.ts`);
export const syncE2e = testsIn(`${E2E}/sync-over-rest.spec.ts`);

export const conditions = testsIn(`${GENERATOR}/test/generation-conditions.spec.ts`);
export const eventSequence = testsIn(`${GENERATOR}/src/types/event-sequence/event-sequence.spec.ts`);
export const independence = testsIn(`${GENERATOR}/test/statistics/independence.spec.ts`);
export const listAssets = testsIn(`${GENERATOR}/src/types/list/list-assets.spec.ts`);
export const outside = testsIn(`${GENERATOR}/test/registry/outside-generator.spec.ts`);
export const picks = testsIn(`${GENERATOR}/test/statistics/picks.spec.ts`);
export const registry = testsIn(`${GENERATOR}/test/registry/define-composition.spec.ts`);
export const statistical = testsIn(`${GENERATOR}/src/types/statistical/statistical.spec.ts`);
export const statistics = testsIn(`${GENERATOR}/test/statistics/statistical.spec.ts`);
export const uniqueRanges = testsIn(`${GENERATOR}/test/laws/unique-ranges.spec.ts`);
export const useComp = testsIn(`${GENERATOR}/test/registry/use-composition.spec.ts`);

export const liveClients = testsIn('clients/test/live.spec.ts');
export const typescriptClient = testsIn(`${SCENARIOS}/typescript.spec.ts`);
export const pythonClient = testsIn(`${SCENARIOS}/python.spec.ts`);
export const phpClient = testsIn(`${SCENARIOS}/php.spec.ts`);
export const goClient = testsIn(`${SCENARIOS}/go.spec.ts`);

export const machineSettings = testsIn('apps/cli/test/machine-settings.spec.ts');
export const modes = testsIn('libs/ngram/test/laws/modes.spec.ts');
export const restoreTargets = testsIn('libs/snapshot-engine/test/integration/restore-targets.spec.ts');
export const training = testsIn('libs/sync-engine/test/integration/plan/sync-training.spec.ts');
export const apiContract = testsIn('tools/repository/test/api-contract.spec.ts');
export const schemaLint = testsIn('tools/repository/test/schema-lint.spec.ts');
export const guides = testsIn('apps/cli/test/guides/guides.spec.ts');
export const dashboardWebhooks = testsIn('apps/dashboard/test/browser/webhooks.spec.ts');
export const dashboardApiKeys = testsIn('apps/dashboard/test/browser/api-keys.spec.ts');
