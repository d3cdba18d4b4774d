import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { ImportCheck } from '../src/import-rule/check-imports.js';

const root = join(__dirname, '../../..');

/** Runs the command `imports`. */
async function checkImports(folder: string): Promise<ImportCheck> {
  const cli = join(root, 'tools/repository/dist/cli.js');
  const done = spawnSync(process.execPath, [cli, 'imports', '--json', '--root', folder], {
    encoding: 'utf8',
  });
  if (done.stdout === '') throw new Error(done.stderr);
  return JSON.parse(done.stdout) as ImportCheck;
}

/**
 * Creates a tree with the package.json and one almost empty source file of each project. Dependencies outside
 * the workspace are links to the installed packages.
 */
function skeleton(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-imports-'));
  mkdirSync(join(folder, 'node_modules/@understudy'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@understudy')
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  for (const group of ['apps', 'clients', 'libs', 'tools'])
    for (const name of readdirSync(join(root, group))) {
      const manifest = join(root, group, name, 'package.json');
      if (!existsSync(manifest)) continue;
      mkdirSync(join(folder, group, name, 'src'), { recursive: true });
      cpSync(manifest, join(folder, group, name, 'package.json'));
      writeFileSync(join(folder, group, name, 'src/index.ts'), 'export const x = 1;\n');
      symlinkSync(join(folder, group, name), join(folder, 'node_modules/@understudy', name));
    }
  return folder;
}

/** Faults to plant: a title, the file, its source, and the rule that must report it. */
const FAULTS: readonly (readonly [string, string, string, string])[] = [
  [
    'node:* in code for browsers',
    'apps/dashboard/src/planted-0.ts',
    "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n",
    'browser-without-node',
  ],
  [
    'the control plane importing code for browsers',
    'apps/control-plane/src/planted-0.ts',
    "import { x } from '@understudy/ui';\nexport const y = x;\n",
    'control-zone',
  ],
  [
    'node:* in a pure library',
    'libs/random/src/planted-1.ts',
    "import { readFileSync } from 'node:fs';\nexport const r = readFileSync;\n",
    'pure-imports-pure',
  ],
  [
    'an npm package in a pure library',
    'libs/ngram/src/planted-2.ts',
    "import { ulid } from 'ulid';\nexport const u = ulid;\n",
    'pure-imports-pure',
  ],
  [
    'a type-only npm import in a pure library',
    'libs/ngram/src/planted-3.ts',
    "import type { ULID } from 'ulid';\nexport type U = ULID;\n",
    'pure-imports-pure',
  ],
  [
    'node:* in the TypeScript client',
    'clients/typescript/src/planted-33.ts',
    "import { open } from 'node:fs/promises';\nexport const o = open;\n",
    'pure-imports-pure',
  ],
  [
    'the entry of the built-in models for Node in a pure library',
    'libs/generator/src/planted-34.ts',
    "import { builtinModels } from '../../builtin-models/src/node-assets.js';\nexport const y = builtinModels;\n",
    'node-entries',
  ],
  [
    'the entry of the built-in models for Node in the dashboard',
    'apps/dashboard/src/planted-35.ts',
    "import { builtinModels } from '@understudy/builtin-models/node';\nexport const y = builtinModels;\n",
    'node-entries',
  ],
  [
    'a service library in a pure library',
    'libs/masking/src/planted-4.ts',
    "import { x } from '@understudy/agent-protocol/sealed-box';\nexport const y = x;\n",
    'pure-imports-pure',
  ],
  [
    'an app in an app',
    'apps/agent/src/planted-5.ts',
    "import { x } from '../../control-plane/src/index.js';\nexport const y = x;\n",
    'apps-stand-alone',
  ],
  [
    'masking in the control plane',
    'apps/control-plane/src/planted-6.ts',
    "import { x } from '@understudy/masking';\nexport const y = x;\n",
    'control-zone',
  ],
  [
    'copy-format in the control plane by a relative path',
    'apps/control-plane/src/a/planted-7.ts',
    "import { x } from '../../../../libs/copy-format/src/index.js';\nexport const y = x;\n",
    'control-zone',
  ],
  [
    'a tool in the agent',
    'apps/agent/src/planted-9.ts',
    "import { x } from '@understudy/stack';\nexport const y = x;\n",
    'agent-zone',
  ],
  [
    'a tool in the library for tests',
    'libs/testing/src/planted-36.ts',
    "import { x } from '@understudy/stack';\nexport const y = x;\n",
    'libraries-without-tools',
  ],
  [
    'a type of a tool in the test of a library',
    'libs/bytes/test/planted-37.spec.ts',
    "import type { X } from '../../../tools/bench/src/index.js';\nexport type Y = X;\n",
    'libraries-without-tools',
  ],
  [
    'an agent library in a shared one',
    'libs/column-rule/src/planted-10.ts',
    "import { x } from '@understudy/masking';\nexport const y = x;\n",
    'shared-zone',
  ],
  [
    'the generated schema outside the link',
    'apps/control-plane/src/jobs/sync-jobs/planted-11.ts',
    "import { x } from '@understudy/agent-protocol/schema';\nexport const y = x;\n",
    'wire-edges',
  ],
  [
    'the transport outside the link',
    'apps/control-plane/src/jobs/snapshots/planted-38.ts',
    "import { x } from '@understudy/agent-protocol/transport';\nexport const y = x;\n",
    'wire-edges',
  ],
  [
    'NATS outside the link',
    'apps/agent/src/sync/planted-12.ts',
    "import { connect } from '@nats-io/transport-node';\nexport const y = connect;\n",
    'wire-edges',
  ],
  [
    'BullMQ outside job-queue',
    'apps/control-plane/src/jobs/sync-jobs/planted-13.ts',
    "import { Queue } from 'bullmq';\nexport const y = Queue;\n",
    'job-queue-edge',
  ],
  [
    'Redis outside job-queue and rate-limits',
    'apps/control-plane/src/jobs/sync-jobs/planted-18.ts',
    "import { Redis } from 'ioredis';\nexport const y = Redis;\n",
    'redis-edge',
  ],
  [
    'pg outside libs/postgres',
    'libs/sync-engine/src/sync/planted-14.ts',
    "import { Client } from 'pg';\nexport const y = Client;\n",
    'postgres-edge',
  ],
  [
    'the AWS SDK outside the bucket of snapshots',
    'libs/snapshot-store/src/archive/planted-31.ts',
    "import { S3Client } from '@aws-sdk/client-s3';\nexport const y = S3Client;\n",
    'bucket-edge',
  ],
  [
    'libsodium outside the sealing of snapshots',
    'libs/snapshot-store/src/storage/folder/planted-32.ts',
    "import sodium from 'sodium-native';\nexport const y = sodium;\n",
    'sealing-edge',
  ],
  [
    'an undeclared package',
    'apps/agent/src/planted-15.ts',
    "import a from 'autocannon-not-declared-anywhere';\nexport const y = a;\n",
    'resolvable',
  ],
  [
    'a package that only another project declares',
    'libs/snapshot-store/src/planted-39.ts',
    "import { ulid } from 'ulid';\nexport const u = ulid;\n",
    'declared-packages',
  ],
  [
    'NATS outside the link by a dynamic import',
    'apps/agent/src/sync/planted-40.ts',
    "export const y = () => import('@nats-io/transport-node');\n",
    'wire-edges',
  ],
  [
    'a type of NATS outside the link',
    'apps/agent/src/sync/planted-41.ts',
    "export type Y = import('@nats-io/transport-node').NodeConnectionOptions;\n",
    'wire-edges',
  ],
  [
    'BullMQ outside job-queue by a re-export',
    'apps/control-plane/src/jobs/sync-jobs/planted-42.ts',
    "export { Queue } from 'bullmq';\n",
    'job-queue-edge',
  ],
  [
    'test code in production',
    'apps/agent/src/planted-16.ts',
    "import { x } from '@understudy/testing';\nexport const y = x;\n",
    'tests-stay-tests',
  ],
  [
    "another feature's entity",
    'apps/control-plane/src/jobs/sync-jobs/planted-17.ts',
    "import { TokenEntity } from '../../accounts/tokens/token.entity.js';\nexport const y = TokenEntity;\n",
    'entities-stay-home',
  ],
  [
    "another feature's entity in the same wing",
    'apps/control-plane/src/accounts/members/planted-38.ts',
    "import { TokenEntity } from '../tokens/token.entity.js';\nexport const y = TokenEntity;\n",
    'entities-stay-home',
  ],
  [
    'a cycle',
    'libs/random/src/cycle.ts',
    "import { b } from './elcyc.js';\nexport const a = (): unknown => b;\n",
    'no-cycles',
  ],
];
const BESIDE: readonly (readonly [string, string])[] = [
  ['libs/builtin-models/src/node-assets.ts', 'export const builtinModels = 1;\n'],
  ['apps/control-plane/src/accounts/tokens/token.entity.ts', 'export class TokenEntity {}\n'],
  ['libs/agent-protocol/src/schema/index.ts', 'export const x = 1;\n'],
  ['libs/agent-protocol/src/transport/index.ts', 'export const x = 1;\n'],
  ['libs/random/src/elcyc.ts', "import { a } from './cycle.js';\nexport const b = (): unknown => a;\n"],
];

function plant(folder: string, file: string, source: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), source);
}

describe('the import rule', () => {
  let folder: string;
  beforeEach(() => {
    folder = skeleton();
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('reports nothing in a tree without faults', async () => {
    expect((await checkImports(folder)).faults).toEqual([]);
  });

  it('reports each planted fault by its rule', async () => {
    for (const [, file, source] of FAULTS) plant(folder, file, source);
    for (const [file, source] of BESIDE) plant(folder, file, source);
    const { faults } = await checkImports(folder);
    const missed = FAULTS.filter(
      ([, file, , rule]) => !faults.some((fault) => fault.from === file && fault.rule === rule),
    );
    expect(missed.map(([kind]) => kind)).toEqual([]);
  });

  it('refuses a project without the two Nx tags', async () => {
    plant(folder, 'libs/untagged/package.json', '{ "name": "@understudy/untagged" }\n');
    await expect(checkImports(folder)).rejects.toThrow(
      'libs/untagged/package.json: expected an Nx tag "layer:…"',
    );
  });
});

describe('the lint rules', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'understudy-lint-'));
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Returns the rules that report something, such as `eslint(no-console)`. */
  function lint(file: string, source: string): string[] {
    plant(folder, file, source);
    const done = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(done.stdout) as { diagnostics: { code: string }[] };
    return diagnostics.map(({ code }) => code);
  }

  it.each([
    [
      'process.env outside config',
      'apps/agent/src/sync/planted.ts',
      'export const y = process.env["X"];\n',
      'node(no-process-env)',
    ],
    [
      'the clock in a pure library',
      'libs/random/src/planted.ts',
      'export const y = Date.now();\n',
      'eslint(no-restricted-globals)',
    ],
    [
      'Math.random in a pure library',
      'libs/ngram/src/planted.ts',
      'export const y = Math.random();\n',
      'eslint(no-restricted-properties)',
    ],
    [
      'crypto in a pure library',
      'libs/masking/src/planted.ts',
      'export const y = crypto.randomUUID();\n',
      'eslint(no-restricted-globals)',
    ],
    [
      "the engine's own logarithm in a pure library",
      'libs/generator/src/planted.ts',
      'export const y = Math.log(2);\n',
      'eslint(no-restricted-properties)',
    ],
    [
      'a query of the plan in the verification',
      'libs/sync-engine/src/verify/planted.ts',
      "import { listedKeys } from '@understudy/postgres';\nexport const y = listedKeys;\n",
      'eslint(no-restricted-imports)',
    ],
    [
      'code of the plan in the verification',
      'libs/sync-engine/src/verify/planted.ts',
      "import { copiedRows } from '../plan/subset/relation-sql.js';\nexport const y = copiedRows;\n",
      'eslint(no-restricted-imports)',
    ],
  ])('report %s', (_kind, filePath, source, rule) => {
    expect(lint(filePath, source)).toContain(rule);
  });

  it.each([
    ['a Hook in a condition', 'react-hooks(rules-of-hooks)', 'if (useId()) useState(0);'],
    ['a missing dependency', 'react-hooks(exhaustive-deps)', 'useEffect(() => () => a, []);'],
    ['a random number while rendering', 'react(purity)', 'const b = Math.random(); if (b > 1) return b;'],
    ['an assertion of a value', 'typescript(no-non-null-assertion)', 'return a!;'],
    ['any', 'typescript(no-explicit-any)', 'return a as any;'],
    ['an unused variable', 'eslint(no-unused-vars)', 'const b = 1;'],
    ['a loose comparison', 'eslint(eqeqeq)', 'return a == 1;'],
    [
      'an error without its cause',
      'eslint(preserve-caught-error)',
      'try { a(); } catch (e) { throw new Error(); }',
    ],
    ['a console', 'eslint(no-console)', 'console.log(a);'],
  ])('report %s', (_kind, rule, line) => {
    const source = `import { useEffect, useId, useState } from 'react';
export function Planted({ a }) { ${line} return <p title={useId()}>{[useEffect, useState].length}</p>; }\n`;
    expect(lint('apps/dashboard/src/planted.tsx', source)).toContain(rule);
  });

  it('allow process.env in a config folder', () => {
    expect(lint('apps/agent/src/config/planted.ts', 'export const y = process.env["X"];\n')).toEqual([]);
  });
});
