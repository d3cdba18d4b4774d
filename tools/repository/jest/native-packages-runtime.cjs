const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
/** The package jest-circus. Its modules hold the tests of a suite, so each suite needs new ones. */
const CIRCUS = `${PACKAGES}jest-circus${sep}`;

/**
 * The compiled modules of this process by path. A suite runs a module again, with new state, but V8 compiles it and its
 * functions only once, which saves a tenth of the time of a suite.
 * @type {Map<string, { source: string, run: Function }>}
 */
const compiled = new Map();

/**
 * Loads npm packages with Node's loader, once per process. Jest would load packages such as Nest and TypeORM again
 * for each suite. Jest still runs the code of this repository for each suite.
 */
module.exports = class NativePackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) => {
      const known = compiled.get(filename);
      if (known?.source === source) return known.run;
      const run = compileFunction(source, executor.injectedModuleParameters, { filename });
      compiled.set(filename, { source, run });
      return run;
    };
    for (const path of Object.keys(require.cache)) if (path.includes(CIRCUS)) delete require.cache[path];
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (options?.isInternalModule === true) return require(moduleName ?? from);
    if (moduleName !== undefined && !this._resolution.isCoreModule(moduleName)) {
      const path = this._resolution.resolveCjs(from, moduleName);
      if (path.includes(PACKAGES)) return require(path);
    }
    return super.requireModule(from, moduleName, options, isRequireActual);
  }
};
