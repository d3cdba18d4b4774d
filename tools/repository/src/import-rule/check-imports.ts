import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { cruise, type ICruiseResult } from 'dependency-cruiser';

import { readProjectTags } from './project-tags.js';
import { importRules } from './rules.js';

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
  const folders = ['apps', 'clients', 'libs', 'tools'].filter((folder) => existsSync(join(root, folder)));
  const report = await cruise(folders, {
    baseDir: root,
    ruleSet: { forbidden: importRules(readProjectTags(root)) },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|clients|libs|tools)/[^/]+/(dist|coverage)/' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@understudy/source', 'import', 'require', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  });
  const { summary } = report.output as ICruiseResult;
  if (summary.totalCruised === 0)
    throw new Error('expected modules in apps/, clients/, libs/ or tools/, found none');
  return {
    faults: summary.violations.map((violation) => ({
      rule: violation.rule.name,
      from: violation.from,
      to: violation.to,
    })),
    modules: summary.totalCruised,
    dependencies: summary.totalDependenciesCruised ?? 0,
  };
}
