const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
/** The package jest-circus. Its modules hold the tests of a suite, so each suite needs new ones. */
const CIRCUS = `${PACKAGES}jest-circus${sep}`;

/**
 * Loads npm packages with Node's loader, once per process. Jest would load packages such as Nest and TypeORM again
 * for each suite. Jest still loads the code of this repository for each suite.
 */
module.exports = class NativePackagesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
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
