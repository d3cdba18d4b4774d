#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';

import { recordApiContract } from './api-contract/api-contract-holds.js';
import { writeApiDescription } from './pages/write-api-description.js';
import { tool } from './check/programs.js';
import { buildModels, generateContract, STEPS, writeOperations } from './check/steps.js';
import { writeCliPage } from './pages/write-cli-page.js';
import { writeConformancePage } from './conformance/write-conformance-page.js';
import { recordEngineVersion } from './engine-version/engine-version-holds.js';
import { writeGeneratorsPage } from './generators-page/write-generators-page.js';
import { checkImports } from './import-rule/check-imports.js';
import { writeSupportPage } from './postgres-support/write-support-page.js';
import { describeGraph, readImportGraph } from './source-layout/import-graph.js';

const ROOT = join(import.meta.dirname, '../../..');

const program = new Command('repository').description("Programs that keep this repository's own rules.");

program
  .command('check')
  .description(
    'Format, lint, types, import rule, contract and generated code: what CI runs before the tests.',
  )
  .option('--only <step>', `one step: ${STEPS.map((step) => step.name).join(', ')}`)
  .addHelpText(
    'after',
    '\nExample:\n  npm run check -- --only "import rule"\n\nExit codes: 0 all hold, 1 a step failed, 2 no such step.',
  )
  .action(async ({ only }: { only?: string }) => {
    const steps = STEPS.filter((step) => only === undefined || step.name === only);
    if (steps.length === 0)
      program.error(`no step "${String(only)}"; there are: ${STEPS.map((step) => step.name).join(', ')}`, {
        exitCode: 2,
      });
    for (const step of steps) {
      const started = performance.now();
      try {
        const seen = await step.run(ROOT);
        console.log(`✓ ${step.name.padEnd(18)} ${seconds(started)}${seen && `  ${seen}`}`);
      } catch (error) {
        console.log(
          `✗ ${step.name.padEnd(18)} ${seconds(started)}\n${error instanceof Error ? error.message : String(error)}\n  to mend it: ${step.fix}`,
        );
        process.exitCode = 1;
      }
    }
  });

program
  .command('generate')
  .description(
    'Writes libs/contract from proto/, docs/operations.md and docs/openapi.json from the control plane, the built-in models with docs/models.md, the values of the engine version, docs/generators.md from the registry, docs/cli.md from the command line, docs/conformance.md from its rows and docs/postgres-support.md from its tests.',
  )
  .option(
    '--baseline',
    'also record the schema and the API as those that later changes must stay compatible with',
  )
  .addHelpText('after', '\nExample:\n  npm run generate')
  .action(async ({ baseline }: { baseline?: boolean }) => {
    generateContract(ROOT, join(ROOT, 'libs/contract/src/generated'));
    if (baseline) tool(ROOT, 'buf', ['build', '-o', 'baseline.binpb'], 'proto');
    writeOperations(ROOT);
    await writeApiDescription(ROOT);
    if (baseline) recordApiContract(ROOT);
    buildModels(ROOT, []);
    recordEngineVersion(ROOT);
    writeGeneratorsPage(ROOT);
    writeCliPage(ROOT);
    await writeConformancePage(ROOT);
    writeSupportPage(ROOT);
  });

program
  .command('imports')
  .description('The import rule alone, for any tree of the same shape.')
  .option('--root <folder>', 'the tree', ROOT)
  .option('--json', 'print {faults, modules, dependencies}')
  .addHelpText('after', '\nExample:\n  node tools/repository/dist/cli.js imports --json')
  .action(async ({ root, json }: { root: string; json?: boolean }) => {
    const check = await checkImports(root);
    if (json) console.log(JSON.stringify(check));
    else for (const fault of check.faults) console.log(`${fault.rule}: ${fault.from} → ${fault.to}`);
    process.exitCode = check.faults.length > 0 ? 1 : 0;
  });

program
  .command('import-graph')
  .description(
    'Prints the rooms of a source folder (the folders and loose files directly under it, without the barrel index.ts and spec files), their levels, the edges between them, and the edges against the direction, which are part of a circle of rooms.',
  )
  .argument('<folder>', 'a folder of TypeScript files')
  .option('--json', 'print {levels, edges, againstDirection}')
  .addHelpText(
    'after',
    '\nExample:\n  node tools/repository/dist/cli.js import-graph libs/sync-engine/src\n\nExit codes: 0 the graph is printed, 1 the folder has no TypeScript file.',
  )
  .action((folder: string, { json }: { json?: boolean }) => {
    if (!existsSync(folder)) program.error(`expected a folder, there is no ${folder}`);
    const graph = readImportGraph(folder);
    console.log(json ? JSON.stringify(graph) : describeGraph(folder, graph));
  });

await program.parseAsync();

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7);
}
