import { posix } from 'node:path';
import ts from 'typescript';

import { parsedSource } from '../source-layout/parsed-source.js';
import { namedPaths } from './named-paths.js';

/** The library with the helpers of tests. Almost every project uses a part of it. */
export const HELPERS = 'libs/testing';
const HELPERS_PACKAGE = '@understudy/testing';
const ENTRIES: Readonly<Record<string, string>> = {
  [HELPERS_PACKAGE]: `${HELPERS}/src/index.ts`,
  [`${HELPERS_PACKAGE}/provision`]: `${HELPERS}/src/provision/index.ts`,
};

/**
 * Finds out which helpers read files outside of their library, for example because they start the built agent. Not
 * the library but each user of such a helper depends on these files.
 * @param sources the text of each file of the library by its path
 * @returns a function that returns the paths that a source file needs because it imports such helpers
 */
export function helperPaths(
  sources: ReadonlyMap<string, string>,
): (file: string, source: string) => string[] {
  const outside = (path: string) => !path.startsWith(`${HELPERS}/`) && path !== '.';
  const needed = new Map<string, ReadonlySet<string>>();
  for (const [module, entry] of Object.entries(ENTRIES))
    for (const { names, from } of imports(entry, sources.get(entry) ?? '')) {
      const files = closure(sourceFile(entry, from), sources);
      const paths = files.flatMap((file) => namedPaths(file, sources.get(file) ?? ''));
      const all = new Set(paths.map(({ path }) => path).filter(outside));
      for (const name of names) needed.set(`${module} ${name}`, all);
    }
  return (file, source) =>
    source.includes(HELPERS_PACKAGE)
      ? imports(file, source).flatMap(({ names, from }) =>
          names.flatMap((name) => [...(needed.get(`${from} ${name}`) ?? [])]),
        )
      : [];
}

/** The file and everything that it imports from its library. */
function closure(file: string, sources: ReadonlyMap<string, string>): string[] {
  const files = new Set([file]);
  for (const each of files)
    for (const { from } of imports(each, sources.get(each) ?? ''))
      if (from.startsWith('.')) files.add(sourceFile(each, from));
  return [...files];
}

function sourceFile(importer: string, from: string): string {
  return posix.join(posix.dirname(importer), from).replace(/\.js$/, '.ts');
}

/** Returns the imports and re-exports of a file with the names of values, which exclude types. */
function imports(file: string, source: string): { names: string[]; from: string }[] {
  return parsedSource(file, source).statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const clause = isImport ? statement.importClause?.namedBindings : statement.exportClause;
    const isType = isImport ? statement.importClause?.isTypeOnly === true : statement.isTypeOnly;
    if (isType) return [];
    const named = clause && (ts.isNamedImports(clause) || ts.isNamedExports(clause)) ? clause.elements : [];
    const names = [...named]
      .filter((each) => !each.isTypeOnly)
      .map((each) => (each.propertyName ?? each.name).text);
    return [{ names, from: moduleSpecifier.text }];
  });
}
