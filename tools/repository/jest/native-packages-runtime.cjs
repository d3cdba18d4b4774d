const { statSync } = require('node:fs');
const { dirname, sep } = require('node:path');
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
 * The transformed modules of this process by path. Jest would read and hash each file again for each suite.
 * @type {Map<string, { modified: number, file: object, sourceMap: string | undefined }>}
 */
const transformed = new Map();

/**
 * The paths of modules by importing folder and name. Jest would look for each file several times in each suite. A run
 * moves no files.
 * @type {Map<string, string>}
 */
const resolved = new Map();

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
    const { transformCache } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (filename, options) => {
      const modified = statSync(filename).mtimeMs;
      const known = transformed.get(filename);
      if (known?.modified !== modified) {
        const code = transform(filename, options);
        const sourceMap = transformCache.sourceMaps.get(filename);
        transformed.set(filename, { modified, file: transformCache.transforms.get(filename), sourceMap });
        return code;
      }
      transformCache.transforms.set(filename, known.file);
      if (known.sourceMap !== undefined) transformCache.sourceMaps.set(filename, known.sourceMap);
      return known.file.code;
    };
    for (const path of Object.keys(require.cache)) if (path.includes(CIRCUS)) delete require.cache[path];
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (options?.isInternalModule === true) return require(moduleName ?? from);
    if (moduleName === undefined || this._resolution.isCoreModule(moduleName))
      return super.requireModule(from, moduleName, options, isRequireActual);
    const path = this.#resolve(from, moduleName);
    if (path.includes(PACKAGES)) return require(path);
    return super.requireModule(path, undefined, options, isRequireActual);
  }

  #resolve(from, moduleName) {
    const key = `${dirname(from)}\0${moduleName}`;
    const path = resolved.get(key) ?? this._resolution.resolveCjs(from, moduleName);
    resolved.set(key, path);
    return path;
  }
};
