import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';

import ts from 'typescript';

import { importedTexts, parsedSource } from '../source-layout/parsed-source.js';

/** An import in a source file, also of types. */
export interface Import {
  /** The path of the importing file from the root of the repository. */
  readonly from: string;
  /**
   * The path of the imported file from the root. For a package of npm, it is `node_modules/<package>/…` with the text
   * after the package in the import. For a module of Node.js or an unresolved import, it is the text of the import.
   */
  readonly to: string;
  /** The imported package, also if it belongs to the repository, or undefined for a relative import. */
  readonly packageName?: string;
  readonly resolution: 'file' | 'package' | 'node module' | 'unresolved';
}

const SOURCE = /\.([mc]?[jt]s|[jt]sx)$/;
const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  resolveJsonModule: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['@understudy/source', 'node'],
};

/** Lists the source files below `folders`, without packages, and without what is built into a project. */
export function sourceFilesOf(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) return SOURCE.test(path) ? [path] : [];
      const isLeftOut = entry.name === 'node_modules' || /^[^/]+\/[^/]+\/(dist|coverage)$/.test(path);
      return entry.isDirectory() && !isLeftOut ? sourceFilesOf(root, [path]) : [];
    }),
  );
}

/** Returns a function that reads and resolves the imports of a file, given by its path from the root. */
export function importReader(root: string): (file: string) => readonly Import[] {
  const realRoot = realpathSync(root);
  const cache = ts.createModuleResolutionCache(realRoot, (name) => name, OPTIONS);
  return (file) => {
    const importer = join(realRoot, file);
    const texts = importedTexts(parsedSource(file, readFileSync(importer, 'utf8')));
    return [...texts].map((text): Import => {
      if (isBuiltin(text)) return { from: file, to: text, resolution: 'node module' };
      const packageName = /^(?![./])(@[^/]+\/)?[^/]+/.exec(text)?.[0];
      const found = resolveImport(text, importer, cache);
      if (found === undefined) return { from: file, to: text, packageName, resolution: 'unresolved' };
      if (packageName !== undefined && found.includes(`${sep}node_modules${sep}`))
        return { from: file, to: `node_modules/${text}/`, packageName, resolution: 'package' };
      const to = relative(realRoot, found).replaceAll(sep, '/');
      return { from: file, to, packageName, resolution: 'file' };
    });
  };
}

function resolveImport(text: string, importer: string, cache: ts.ModuleResolutionCache): string | undefined {
  const { resolvedModule } = ts.resolveModuleName(text, importer, OPTIONS, ts.sys, cache);
  if (resolvedModule) return resolvedModule.resolvedFileName;
  try {
    // The compiler does not know files of other languages, such as styles, which bundlers import, also with a query.
    return createRequire(importer).resolve(text.replace(/\?.*/, ''));
  } catch {
    return undefined;
  }
}
