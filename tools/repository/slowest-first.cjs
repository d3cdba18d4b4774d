const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Suites that wait for leases, restarts and processes for the better part of a minute or more, slowest first. A clean checkout has no
 * durations of an earlier run, and jest then goes by the size of files: the slowest suite came last, and alone. A line whose
 * suite is gone orders nothing.
 */
const SLOWEST = [
  'tools/faults/test/fixed-faults',
  'apps/agent/test/e2e/losses',
  'apps/control-plane/test/integration/http/fuzz',
  'libs/sync-engine/test/integration/attempt/sync-takeover',
  'apps/agent/test/integration/link',
  'apps/agent/test/e2e/sync-over-rest',
  'libs/sync-engine/test/integration/postgres-support',
  'apps/control-plane/test/integration/processes/processes',
  'apps/control-plane/test/integration/processes/ended-processes',
  'apps/control-plane/test/integration/http/rate-limits',
  'apps/control-plane/test/integration/generation/generate-streaming',
  'apps/control-plane/test/integration/webhooks/webhook-faults',
  'libs/sync-engine/test/integration/attempt/sync-failures',
  'libs/ngram/test/laws/hostile-models',
  'tools/stack/test/stack',
];
/** Then by what kind of suite it is; the rest needs a second or two each. */
const KINDS = ['/test/e2e/', '/test/integration/', '/test/'];

module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};

function rank({ path }) {
  const posix = path.replaceAll('\\', '/');
  const named = SLOWEST.findIndex((suite) => posix.endsWith(`/${suite}.spec.ts`));
  if (named >= 0) return named;
  const kind = KINDS.findIndex((folder) => posix.includes(folder));
  return SLOWEST.length + (kind >= 0 ? kind : KINDS.length);
}
