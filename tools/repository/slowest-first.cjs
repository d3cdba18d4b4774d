const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The suites that need about a minute or more, slowest first. A clean checkout has no durations of an earlier run.
 * Jest would then sort by file size, and the slowest suite would run last. A name without a suite has no effect.
 */
const SLOWEST = [
  'tools/faults/test/fixed-faults',
  'apps/control-plane/test/integration/processes/processes',
  'apps/control-plane/test/integration/http/fuzz',
  'clients/test/live',
  'apps/agent/test/e2e/losses',
  'apps/cli/test/guides/guides',
  'apps/agent/test/e2e/lost-link',
  'apps/agent/test/e2e/snapshots-over-rest',
  'apps/control-plane/test/integration/processes/dev',
  'libs/sync-engine/test/integration/attempt/sync-takeover',
  'apps/agent/test/integration/link',
  'apps/agent/test/e2e/sync-over-rest',
  'libs/sync-engine/test/integration/postgres-support',
  'apps/control-plane/test/integration/processes/ended-processes',
  'apps/control-plane/test/integration/http/rate-limits',
  'apps/control-plane/test/integration/generation/generate-streaming',
  'apps/control-plane/test/integration/webhooks/webhook-faults',
  'apps/dashboard/test/browser/snapshots',
  'apps/dashboard/test/browser/newcomer',
  'apps/dashboard/test/browser/new-sync-job',
  'apps/dashboard/test/browser/playground',
  'apps/dashboard/test/browser/parts',
  'apps/dashboard/test/browser/settings',
  'apps/dashboard/test/browser/sync-jobs',
  'apps/dashboard/test/browser/webhooks',
  'apps/dashboard/test/browser/session',
  'libs/sync-engine/test/integration/attempt/sync-failures',
  'libs/ngram/test/laws/hostile-models',
  'clients/test/packages/packages',
  'clients/test/pages/api-page',
  'tools/stack/test/stack',
  'clients/test/native/python',
  'clients/test/scenarios/python',
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
