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
  /** How many files and imports were looked at; a check that saw none has checked nothing. */
  readonly modules: number;
  readonly dependencies: number;
}

/** Runs the import rule over apps/, libs/ and tools/ of the repository at `root`. Throws when it sees no module. */
export async function checkImports(root: string): Promise<ImportCheck> {
  const folders = ['apps', 'libs', 'tools'].filter((folder) => existsSync(join(root, folder)));
  const report = await cruise(folders, {
    baseDir: root,
    ruleSet: { forbidden: importRules(readProjectTags(root)) },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|libs|tools)/[^/]+/(dist|coverage)/' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@understudy/source', 'import', 'require', 'node', 'types', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  });
  const { summary } = report.output as ICruiseResult;
  if (summary.totalCruised === 0)
    throw new Error('The import check saw no module: its folders or its parser are wrong.');
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
