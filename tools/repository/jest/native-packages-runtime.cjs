const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
/** Keeps the tests of a suite in its modules. */
const CIRCUS = `${PACKAGES}jest-circus${sep}`;

/**
 * Loads packages with Node's own loader, once a process: jest would read, compile and run all of Nest, TypeORM and the rest anew for
 * every suite. What is ours is loaded by jest as ever, anew for each suite.
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
