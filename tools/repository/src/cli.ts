#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { findToolchain } from '@understudy/testing/provision';
import { Command } from 'commander';

import { recordApiContract } from './api-contract/api-contract-holds.js';
import { writeClients } from './clients/write-clients.js';
import { tool } from './check/programs.js';
import { buildModels, generateContract, STEPS } from './check/steps.js';
import { CONFORMANCE_PAGE } from './conformance/conformance-page.js';
import { recordEngineVersion } from './engine-version/engine-version-holds.js';
import { writeManifests } from './kubernetes/manifests.js';
import { GENERATORS_PAGE } from './generators-page/generators-page.js';
import { checkImports } from './import-rule/check-imports.js';
import { checkProse, describeFault, trackedFiles } from './prose/check-prose.js';
import { writePage } from './pages/page.js';
import { API_DESCRIPTION, CLI_PAGE, REFERENCE_PAGES } from './pages/reference-pages.js';
import { SUPPORT_PAGE } from './postgres-support/support-page.js';
import { describeGraph, readImportGraph } from './source-layout/import-graph.js';

const ROOT = join(import.meta.dirname, '../../..');

const program = new Command('repository').description(
  'Checks this repository and generates its derived files.',
);

program
  .command('check')
  .description(
    'Checks the format, lint rules, types, imports, contracts and generated files. CI runs it before the tests.',
  )
  .option('--only <step>', `run only one step: ${STEPS.map((step) => step.name).join(', ')}`)
  .addHelpText(
    'after',
    '\nExample:\n  npm run check -- --only "import rule"\n\nExit codes: 0 all steps passed, 1 a step failed, 2 unknown step.',
  )
  .action(async ({ only }: { only?: string }) => {
    const steps = STEPS.filter((step) => only === undefined || step.name === only);
    if (steps.length === 0)
      program.error(
        `expected the name of a step, got "${String(only)}"; the steps are: ${STEPS.map((step) => step.name).join(', ')}`,
        {
          exitCode: 2,
        },
      );
    for (const step of steps) {
      const started = performance.now();
      try {
        const seen = await step.run(ROOT);
        console.log(`✓ ${step.name.padEnd(18)} ${seconds(started)}${seen && `  ${seen}`}`);
      } catch (error) {
        console.log(
          `✗ ${step.name.padEnd(18)} ${seconds(started)}\n${error instanceof Error ? error.message : String(error)}\n  to fix it: ${step.fix}`,
        );
        process.exitCode = 1;
      }
    }
  });

program
  .command('generate')
  .description(
    'Generates the code in libs/agent-protocol, the OpenAPI document, the clients, the built-in models and the record of the engine version. Also generates the pages in docs/reference and the manifests in deploy/kubernetes.',
  )
  .option(
    '--baseline',
    'also record the current schema and API; later changes must stay compatible with them',
  )
  .addHelpText('after', '\nExample:\n  npm run generate')
  .action(({ baseline }: { baseline?: boolean }) => {
    generateContract(ROOT, join(ROOT, 'libs/agent-protocol/src/generated'));
    if (baseline) tool(ROOT, 'buf', ['build', '-o', 'baseline.binpb'], 'proto');
    writePage(ROOT, API_DESCRIPTION);
    writeClients(ROOT);
    if (baseline) recordApiContract(ROOT);
    buildModels(ROOT, []);
    recordEngineVersion(ROOT);
    for (const page of [GENERATORS_PAGE, CLI_PAGE, ...REFERENCE_PAGES, CONFORMANCE_PAGE, SUPPORT_PAGE])
      writePage(ROOT, page);
    if (findToolchain('helm-charts') === undefined)
      console.log(
        'The Kubernetes manifests were not written: expected the programs of "helm-charts", found none.',
      );
    else writeManifests(ROOT);
  });

program
  .command('imports')
  .description('Checks only the import rule, in this repository or in another tree with the same folders.')
  .option('--root <folder>', 'the root folder of the tree', ROOT)
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
    'Prints the modules of a source folder, their levels, the imports between them, and the imports in cycles. A module is a folder or a file directly under the source folder, except index.ts and spec files.',
  )
  .argument('<folder>', 'a folder of TypeScript files')
  .option('--json', 'print {levels, edges, againstDirection}')
  .addHelpText(
    'after',
    '\nExample:\n  node tools/repository/dist/cli.js import-graph libs/sync-engine/src\n\nExit codes: 0 the graph was printed, 1 the folder has no TypeScript file.',
  )
  .action((folder: string, { json }: { json?: boolean }) => {
    if (!existsSync(folder)) program.error(`expected an existing folder, got ${folder}`);
    const graph = readImportGraph(folder);
    console.log(json ? JSON.stringify(graph) : describeGraph(folder, graph));
  });

program
  .command('prose')
  .description(
    'Checks pages, comments, messages, test titles and names: sentence length, terms, line length.',
  )
  .argument('[paths...]', 'files, or folders with everything below them (default: the whole repository)')
  .option('--json', 'print {faults, files, texts}')
  .addHelpText(
    'after',
    '\nExample:\n  node tools/repository/dist/cli.js prose libs/ngram README.md\n\nExit codes: 0 no faults, 1 faults found, 2 no file matches the paths.',
  )
  .action(async (paths: readonly string[], { json }: { json?: boolean }) => {
    const files = trackedFiles(ROOT).filter(
      (file) =>
        paths.length === 0 ||
        paths.some((path) => file === path || file.startsWith(path.replace(/\/?$/, '/'))),
    );
    if (files.length === 0)
      program.error(`expected paths below the repository, got ${paths.join(' ')}`, { exitCode: 2 });
    const report = await checkProse(ROOT, files);
    console.log(json ? JSON.stringify(report) : report.faults.map(describeFault).join('\n'));
    if (!json)
      console.log(`${report.faults.length} faults in ${report.texts} texts of ${report.files} files`);
    process.exitCode = report.faults.length > 0 ? 1 : 0;
  });

await program.parseAsync();

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7);
}
