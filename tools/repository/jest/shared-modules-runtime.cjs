const { statSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { dirname, sep } = require('node:path');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;
/** The package jest-circus. Its modules hold the tests of a suite, so each suite needs new ones. */
const CIRCUS = `${PACKAGES}jest-circus${sep}`;
/**
 * The product's code. The files of suites, libs/testing and a `main.ts`, which starts a program, run again for each
 * suite.
 */
const PRODUCT =
  /[\\/](?:libs[\\/](?!testing[\\/])|apps[\\/])[^\\/]+[\\/]src[\\/](?!main\.ts$).+(?<!\.spec)\.tsx?$/;

/**
 * The compiled modules of this process by path. A suite runs a module again, with new state, but V8 compiles it and its
 * functions only once, which saves a tenth of the time of a suite.
 * @type {Map<string, { source: string, run: Function }>}
 */
const compiled = new Map();

/**
 * The transformed modules of this process by path. Jest would read and hash each file again for each suite.
 * @type {Map<string, { modified: number, file: object }>}
 */
const transformed = new Map();

/**
 * The paths of the source maps by module. Jest would know only those of the modules that it transformed for the suite.
 * @type {Map<string, string>}
 */
const sourceMaps = new Map();

/**
 * The paths of modules by importing folder and name. Jest would look for each file several times in each suite. A run
 * moves no files.
 * @type {Map<string, string>}
 */
const resolved = new Map();

/**
 * The modules of the product by path.
 * @type {Map<string, { exports: object }>}
 */
const product = new Map();

/**
 * The runtime of the suite that runs now. A module of the product may import another one later, in another suite.
 * @type {SharedModulesRuntime}
 */
let present;

/**
 * Loads npm packages with Node's loader, and runs each module of the product once per process. Jest would do both again
 * for each suite, which is most of the time of a small suite.
 */
class SharedModulesRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    present = this;
    const { executor } = this;
    executor.compile = (source, filename) => {
      const known = compiled.get(filename);
      if (known?.source === source) return known.run;
      const run = compileFunction(source, executor.injectedModuleParameters, { filename });
      compiled.set(filename, { source, run });
      return run;
    };
    const { transformCache } = this;
    transformCache.sourceMaps = sourceMaps;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (filename, options) => {
      const modified = statSync(filename).mtimeMs;
      const known = transformed.get(filename);
      if (known?.modified === modified) {
        transformCache.transforms.set(filename, known.file);
        return known.file.code;
      }
      const code = transform(filename, options);
      transformed.set(filename, { modified, file: transformCache.transforms.get(filename) });
      return code;
    };
    for (const path of Object.keys(require.cache)) if (path.includes(CIRCUS)) delete require.cache[path];
    // In watch mode, a process also runs suites after the change of a file.
    if ([...product.keys()].some((path) => transformed.get(path)?.modified !== statSync(path).mtimeMs))
      product.clear();
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (options?.isInternalModule === true) return require(moduleName ?? from);
    if (moduleName === undefined || this._resolution.isCoreModule(moduleName))
      return super.requireModule(from, moduleName, options, isRequireActual);
    const path = this.#resolve(from, moduleName);
    if (path.includes(PACKAGES)) return require(path);
    if (PRODUCT.test(path)) return this.#requireProduct(path);
    return super.requireModule(path, undefined, options, isRequireActual);
  }

  /** Refuses a replacement that other modules of the product would not use. */
  setMock(from, moduleName, ...rest) {
    if (PRODUCT.test(this.#resolve(from, moduleName)))
      throw new Error(
        `${moduleName} is shared by all suites of this process: pass what must differ as an argument`,
      );
    super.setMock(from, moduleName, ...rest);
  }

  #resolve(from, moduleName) {
    const key = `${dirname(from)}\0${moduleName}`;
    const path = resolved.get(key) ?? this._resolution.resolveCjs(from, moduleName);
    resolved.set(key, path);
    return path;
  }

  #requireProduct(path) {
    const known = product.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    product.set(path, module);
    const requireFrom = (name) => (isBuiltin(name) ? require(name) : present.requireModule(path, name));
    try {
      const run = this.executor.compile(this.transformCache.transform(path), path);
      run.call(module.exports, module, module.exports, requireFrom, dirname(path), path);
    } catch (error) {
      product.delete(path);
      throw error;
    }
    return module.exports;
  }
}

module.exports = SharedModulesRuntime;
