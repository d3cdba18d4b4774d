const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/**
 * The worker process itself as the environment of a suite, instead of a context of its own: packages are loaded once a process
 * (native-packages-runtime.cjs), and what they make must be of the same `Error`, `Date` and `Array` as what the suite knows. What a suite
 * leaves behind in the process is taken back when it ends: globals, variables of the environment, `process.exit`.
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
      if (!(name in this.#globals)) Reflect.deleteProperty(globalThis, name); // expect's matchers stay: they cannot be taken away
    Object.defineProperties(globalThis, this.#globals);
  }

  exportConditions() {
    return this.#conditions;
  }

  /** Asked for by jest, and not used: see native-packages-runtime.cjs. */
  getVmContext() {
    return globalThis;
  }
};
