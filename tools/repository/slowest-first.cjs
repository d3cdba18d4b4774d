const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The suites that need 45 seconds or more in a complete run, slowest first. A clean checkout has no durations of an
 * earlier run. Jest would then sort by file size, and the slowest suite would run last. A name without a suite has
 * no effect.
 */
const SLOWEST = [
  'tools/release/test/postgres-versions/postgres-versions.release',
  'tools/faults/test/fixed-faults.release',
  'tools/release/test/e2e/compose.release',
  'clients/test/live.release',
  'tools/release/test/e2e/installation.release',
  'apps/dashboard/test/browser/looks.release',
  'apps/dashboard/test/browser/sync-jobs',
  'apps/dashboard/test/browser/parts',
  'apps/cli/test/guides/guides',
  'apps/control-plane/test/integration/http/fuzz',
  'apps/dashboard/test/browser/newcomer',
  'apps/dashboard/test/browser/new-sync-job',
  'apps/dashboard/test/browser/snapshots',
  'apps/agent/test/e2e/lost-link',
  'apps/cli/test/init/documents',
  'libs/sync-engine/test/integration/attempt/sync-takeover',
  'libs/sync-engine/test/integration/attempt/database-settings',
  'apps/agent/test/e2e/losses',
  'apps/cli/test/sync/sync',
  'apps/agent/test/integration/full-disk',
  'apps/dashboard/test/browser/settings',
  'apps/dashboard/test/browser/playground',
  'clients/test/live',
  'apps/control-plane/test/integration/processes/processes',
  'apps/agent/test/e2e/snapshots-over-rest',
  'apps/agent/test/e2e/sync-over-rest',
  'apps/agent/test/e2e/replace-over-rest',
  'libs/sync-engine/test/integration/session/pooler',
  'apps/control-plane/test/integration/oidc-sign-in/oidc-provider-faults',
  'libs/sync-engine/test/integration/stage/orphans',
  'libs/sync-engine/test/integration/database/replace-database',
  'libs/sync-engine/test/integration/database/replace-choices',
  'libs/sync-engine/test/integration/database/replace-privileges',
  'libs/sync-engine/test/integration/database/replace-resume',
  'libs/sync-engine/test/integration/database/hostile-source',
  'libs/sync-engine/test/integration/postgres-support',
  'apps/control-plane/test/integration/processes/ended-processes',
  'apps/dashboard/test/browser/models',
  'apps/dashboard/test/browser/generators',
  'libs/sync-engine/test/integration/plan/differs-limit',
  'libs/sync-engine/test/integration/plan/sync-keys',
  'apps/dashboard/test/browser/session',
  'libs/sync-engine/test/integration/stage/staging-trust',
  'apps/control-plane/test/integration/processes/dev',
  'apps/agent/test/integration/link',
  'apps/cli/test/init/hard-schema',
  'apps/control-plane/test/integration/agent-work/agent-matching',
  'libs/sync-engine/test/integration/stage/evaluation-path',
  'apps/control-plane/test/integration/http/rate-limits',
  'libs/sync-engine/test/integration/stage/sync-sequences',
  'libs/ngram/test/laws/hostile-models',
  'apps/agent/test/e2e/two-networks',
  'libs/sync-engine/test/integration/checks/dry-run',
  'apps/control-plane/test/integration/webhooks/webhook-faults',
  'libs/sync-engine/test/integration/stage/sync-swap',
  'apps/dashboard/test/browser/webhooks',
];
/** The order of the other suites by folder. All remaining suites need one or two seconds each. */
const KINDS = ['/test/e2e/', '/test/integration/', '/test/'];

/**
 * The suites that run last. A worker keeps their control plane and browser until it ends, and both use some CPU time
 * even if no suite needs them.
 */
const LAST = '/test/browser/';

/** Runs slow suites first, so that a parallel run ends earlier. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};

function rank({ path }) {
  const posix = path.replaceAll('\\', '/');
  const named = SLOWEST.findIndex((suite) => posix.endsWith(`/${suite}.spec.ts`));
  const kind = KINDS.findIndex((folder) => posix.includes(folder));
  const order = named >= 0 ? named : SLOWEST.length + (kind >= 0 ? kind : KINDS.length);
  return posix.includes(LAST) ? order + SLOWEST.length + KINDS.length : order;
}
