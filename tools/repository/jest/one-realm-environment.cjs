const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The message with which Jest ends a worker. */
const END = 2;
/** Jest kills a worker after 500 ms. */
const NAMED_AFTER_MS = 250;
/** The global variables in which packages keep what decorators declare. The decorators run once per process. */
const DECLARATIONS = ['typeormMetadataArgsStorage', 'classValidatorMetadataStorage'];
/** The pipes of the worker's stdout and stderr. Others belong to programs that a suite has not ended. */
const OWN_PIPES = 2;

if (process.send) process.prependListener('message', nameOpenHandles);

/**
 * Names what keeps this worker alive after the end of its suites. Jest itself only reports that it killed a worker. It
 * does so even if the worker has ended, and the system needs longer to free its memory.
 */
function nameOpenHandles([kind]) {
  if (kind !== END) return;
  process.removeListener('message', nameOpenHandles);
  setTimeout(() => {
    let pipes = 0;
    const open = process
      .getActiveResourcesInfo()
      .filter((name) => name !== 'PipeWrap' || (pipes += 1) > OWN_PIPES);
    process.stderr.write(`a suite left open: ${open.join(', ') || 'nothing that Node.js names'}\n`);
  }, NAMED_AFTER_MS).unref();
}

/**
 * Runs a suite in the global context of the worker process instead of a new context. Packages and the product are
 * loaded once per process (shared-modules-runtime.cjs), so they and the suite must use the same `Error`, `Date` and
 * `Array`. At the end of a suite, the environment restores globals, environment variables and `process.exit`.
 */
module.exports = class OneRealmEnvironment {
  global = globalThis;
  #conditions;
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #env = { ...process.env };
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    for (const name of Reflect.ownKeys(globalThis))
      if (!(name in this.#globals || DECLARATIONS.includes(name))) Reflect.deleteProperty(globalThis, name); // the matchers of expect cannot be deleted
    Object.defineProperties(globalThis, this.#globals);
  }

  exportConditions() {
    return this.#conditions;
  }

  /** Jest calls this method, but shared-modules-runtime.cjs does not use its result. */
  getVmContext() {
    return globalThis;
  }
};
