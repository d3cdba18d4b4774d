// Converts every ESM file to CommonJS inside jest, including node_modules. Nest 12 is ESM only, and CommonJS packages
// require() it, which jest supports only from Node 24.9. The only form of import.meta in sources is
// `import.meta.dirname`, which becomes `__dirname`.
const { readFileSync, existsSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { createHash } = require('node:crypto');
const swc = require('@swc/core');

/** @type {Map<string, boolean>} by folder: whether its nearest package.json has `"type": "module"` */
const moduleFolders = new Map();

function isModuleFolder(folder) {
  const known = moduleFolders.get(folder);
  if (known !== undefined) return known;
  const manifest = join(folder, 'package.json');
  const parent = dirname(folder);
  const isModule = existsSync(manifest)
    ? JSON.parse(readFileSync(manifest, 'utf8')).type === 'module'
    : parent !== folder && isModuleFolder(parent);
  moduleFolders.set(folder, isModule);
  return isModule;
}

function isEsm(file) {
  if (file.endsWith('.mjs')) return true;
  if (file.endsWith('.cjs') || file.endsWith('.json')) return false;
  return isModuleFolder(dirname(file));
}

const unconfigured = { swcrc: false, configFile: false };
const javascript = {
  ...unconfigured,
  jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
  module: { type: 'commonjs', importInterop: 'node', ignoreDynamic: false },
  isModule: true,
  sourceMaps: false,
};
const typescript = {
  ...unconfigured,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};

const react = {
  ...typescript,
  jsc: {
    ...typescript.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' }, useDefineForClassFields: true },
  },
};

const version = createHash('sha1')
  .update(readFileSync(__filename))
  .update(require('@swc/core/package.json').version)
  .digest('hex');

module.exports = {
  getCacheKey: (source, file) => createHash('sha1').update(version).update(file).update(source).digest('hex'),
  process(source, filename) {
    if (/\.tsx?$/.test(filename)) {
      const portable = source.replaceAll('import.meta.dirname', '__dirname');
      return swc.transformSync(portable, { ...(filename.endsWith('x') ? react : typescript), filename });
    }
    if (isEsm(filename)) return swc.transformSync(source, { ...javascript, filename });
    return { code: source };
  },
};
