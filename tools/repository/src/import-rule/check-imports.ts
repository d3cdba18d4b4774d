import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readProjectTags } from './project-tags.js';
import { type Import, importReader, sourceFilesOf } from './read-imports.js';
import { type ImportKind, type ImportRule, importRules } from './rules.js';

export interface ImportFault {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

export interface ImportCheck {
  readonly faults: readonly ImportFault[];
  /** The number of files that were checked. */
  readonly modules: number;
  /** The number of imports that were checked. */
  readonly dependencies: number;
}

/**
 * Applies the import rule to apps/, clients/, libs/ and tools/ of the repository at `root`.
 * @throws Error if it finds no module
 */
export async function checkImports(root: string): Promise<ImportCheck> {
  const rules = importRules(readProjectTags(root));
  const folders = ['apps', 'clients', 'libs', 'tools'].filter((folder) => existsSync(join(root, folder)));
  const files = sourceFilesOf(root, folders);
  if (files.length === 0) throw new Error('expected modules in apps/, clients/, libs/ or tools/, found none');
  const imports = files.flatMap(importReader(root));
  const isOfKind = kindChecks(root, imports);
  return {
    faults: rules.flatMap((rule) =>
      imports
        .filter((each) => isForbidden(rule, each, isOfKind))
        .map(({ from, to }) => ({ rule: rule.name, from, to })),
    ),
    modules: files.length,
    dependencies: imports.length,
  };
}

function isForbidden({ from, to }: ImportRule, each: Import, isOfKind: KindChecks): boolean {
  const [, group = ''] = pattern(from.path ?? '').exec(each.from) ?? [];
  const matches = (path: string, source: string): boolean =>
    pattern(source.replaceAll('$1', group)).test(path);
  return (
    matches(each.from, from.path ?? '') &&
    !(from.pathNot !== undefined && matches(each.from, from.pathNot)) &&
    matches(each.to, to.path ?? '') &&
    !(to.pathNot !== undefined && matches(each.to, to.pathNot)) &&
    (to.kind === undefined || isOfKind[to.kind](each))
  );
}

const patterns = new Map<string, RegExp>();

function pattern(source: string): RegExp {
  const known = patterns.get(source) ?? new RegExp(source);
  patterns.set(source, known);
  return known;
}

/** The checks of the kinds. They run after the comparison of paths, because few imports get that far. */
type KindChecks = Readonly<Record<ImportKind, (each: Import) => boolean>>;

function kindChecks(root: string, imports: readonly Import[]): KindChecks {
  const declared = new Map<string, ReadonlySet<string>>();
  const declares = (folder: string, name: string): boolean => {
    const names = declared.get(folder) ?? declaredPackages(join(root, folder, 'package.json'));
    declared.set(folder, names);
    return names.has(name);
  };
  return {
    'node module': ({ resolution }) => resolution === 'node module',
    unresolved: ({ resolution }) => resolution === 'unresolved',
    'undeclared package': ({ from, packageName, resolution }) =>
      packageName !== undefined &&
      resolution !== 'unresolved' &&
      !['.', from.split('/').slice(0, 2).join('/')].some((folder) => declares(folder, packageName)),
    'part of a cycle': cycleFinder(imports),
  };
}

function declaredPackages(manifest: string): ReadonlySet<string> {
  if (!existsSync(manifest)) return new Set();
  const fields = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
  return new Set([
    String(fields['name']),
    ...['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(fields[kind] ?? {}),
    ),
  ]);
}

/** Returns a function that checks whether an import is a part of a cycle. */
function cycleFinder(imports: readonly Import[]): (each: Import) => boolean {
  const importsOf = new Map<string, Set<string>>();
  for (const { from, to } of imports) importsOf.set(from, (importsOf.get(from) ?? new Set()).add(to));
  // A file that imports only files outside of cycles is in none, so few files or none are left.
  for (let left = Infinity; importsOf.size < left;) {
    left = importsOf.size;
    for (const [from, to] of importsOf)
      if (![...to].some((file) => importsOf.has(file))) importsOf.delete(from);
  }
  return ({ from, to }) => {
    if (!importsOf.has(from)) return false;
    const reached = new Set([to]);
    for (const file of reached) for (const next of importsOf.get(file) ?? []) reached.add(next);
    return reached.has(from);
  };
}
