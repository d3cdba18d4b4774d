import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeWith } from '@understudy/testing';
import ts from 'typescript';

import { CHARTS, readChart } from '../../src/kubernetes/chart.js';
import { manifestsOf, manifestsPath } from '../../src/kubernetes/manifests.js';
import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import { selects, type LabelSelector } from './network-rules.js';
import { podTemplateOf, renderCases, ROOT, variablesOf, type RenderedCase } from './rendered-charts.js';

const load = createRequire(join(ROOT, 'package.json'));

/** Kinds of operators. No package of types describes them. */
const CUSTOM = new Set(['ServiceMonitor']);

/** Validates an object against the schema of its kind. @throws with the invalid fields */
function validate(object: KubernetesObject): void {
  const models = load(`kubernetes-models/${object.apiVersion}`) as Record<
    string,
    new (value: object) => { validate(): void }
  >;
  const Model = models[object.kind];
  if (Model === undefined) throw new Error(`expected a kind of ${object.apiVersion}, got ${object.kind}`);
  new Model(object).validate();
}

/**
 * Compiles the objects as literals of the types in kubernetes-models, because its schemas accept unknown fields.
 * @returns the errors of the compiler, such as unknown fields and values of another type
 */
function typeErrors(objects: readonly KubernetesObject[]): string[] {
  const file = join(ROOT, 'tools/repository/test/kubernetes/objects.ts'); // exists in memory only
  const lines = objects.map(
    (object, index) =>
      `const object${index}: import('kubernetes-models/${object.apiVersion}').I${object.kind} = ${JSON.stringify(object)};`,
  );
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ target: ts.ScriptTarget.ES2022, moduleDetection: ts.ModuleDetectionKind.Force },
    ...{ module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Bundler },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, target) =>
    path === file ? ts.createSourceFile(path, lines.join('\n'), target) : getSourceFile(path, target);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describeWith('the objects of the Helm charts', 'helm-charts', () => {
  let cases: readonly RenderedCase[];
  beforeAll(() => (cases = renderCases()));

  /** Calls the function with each pod template of each case. */
  function eachPod(
    visit: (pod: NonNullable<ReturnType<typeof podTemplateOf>>, at: string, from: RenderedCase) => void,
  ): void {
    let count = 0;
    for (const each of cases)
      for (const object of each.objects) {
        const pod = podTemplateOf(object);
        if (pod === undefined) continue;
        visit(pod, `${each.title}: ${object.kind}`, each);
        count++;
      }
    expect(count).toBeGreaterThanOrEqual(cases.length);
  }

  it('are valid for Kubernetes', () => {
    const standard = cases.flatMap(({ objects }) => objects.filter(({ kind }) => !CUSTOM.has(kind)));
    for (const object of standard) validate(object);
    expect(typeErrors(standard)).toEqual([]);
  });

  it('are checked by validators that find missing and unknown fields', () => {
    const map: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'a' }, spec: {} };
    expect(() => validate(set)).toThrow(/selector/);
    expect(typeErrors([{ ...map, replicas: 2 }])).toEqual([expect.stringContaining('"replicas"')]);
  });

  it('give each container only variables that its program reads', () => {
    eachPod((pod, at, { chart, values }) => {
      const known = variablesOf(chart === 'understudy-agent' ? 'Agent' : 'Control plane');
      const databases = (values['databases'] ?? []) as readonly { env: string }[];
      const expected = new Set([...known, ...databases.map(({ env }) => env)]);
      for (const { env = [] } of pod.spec.containers)
        expect([at, env.map(({ name }) => name).filter((name) => !expected.has(name))]).toEqual([at, []]);
    });
  });

  it('let no container change its file system, gain rights or use memory without a limit', () => {
    eachPod(({ spec }, at) => {
      expect([at, spec.securityContext]).toEqual([
        at,
        expect.objectContaining({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }),
      ]);
      expect([at, spec.automountServiceAccountToken]).toEqual([at, false]);
      for (const { name, securityContext, resources } of [
        ...spec.containers,
        ...(spec.initContainers ?? []),
      ]) {
        expect([at, name, securityContext]).toEqual([
          ...[at, name],
          { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        ]);
        expect([at, name, resources?.limits?.memory]).toEqual([at, name, expect.any(String)]);
        expect([at, name, resources?.requests]).toEqual([at, name, expect.any(Object)]);
      }
    });
  });

  it('mount only volumes that exist', () => {
    eachPod(({ spec }, at, { objects }) => {
      const claimed = objects.flatMap(
        (object) =>
          (object['spec'] as { volumeClaimTemplates?: { metadata: { name: string } }[] } | undefined)
            ?.volumeClaimTemplates ?? [],
      );
      const volumes = [
        ...(spec.volumes ?? []).map(({ name }) => name),
        ...claimed.map(({ metadata }) => metadata.name),
      ];
      for (const { volumeMounts = [] } of spec.containers)
        for (const { name } of volumeMounts)
          expect([at, volumes]).toEqual([at, expect.arrayContaining([name])]);
    });
  });

  it('select the pods that they own', () => {
    eachPod((pod, at, { objects }) => {
      const owners = objects.filter((object) => podTemplateOf(object) === pod && object.kind !== 'Job');
      for (const { spec } of owners)
        expect([at, selects((spec as { selector: LabelSelector }).selector, pod.metadata.labels)]).toEqual([
          at,
          true,
        ]);
      const claimants = objects.filter(
        (object) =>
          ['Deployment', 'StatefulSet'].includes(object.kind) &&
          selects((object['spec'] as { selector: LabelSelector }).selector, pod.metadata.labels),
      );
      expect([at, claimants]).toEqual([at, owners]);
    });
  });

  it('contain no Secret', () => {
    for (const { objects } of cases) expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
  });

  it('have the labels that `helm create` gives', () => {
    for (const { chart, objects, title } of cases)
      for (const { kind, metadata } of objects.filter(({ metadata: { name } }) => !name.endsWith('-notes')))
        expect([title, kind, metadata.labels]).toEqual([
          ...[title, kind],
          expect.objectContaining({
            'app.kubernetes.io/name': chart,
            'app.kubernetes.io/instance': 'demo',
            'app.kubernetes.io/managed-by': 'Helm',
            'helm.sh/chart': expect.stringMatching(new RegExp(`^${chart}-\\d`)),
          }),
        ]);
  });

  it('have names and references within one release', () => {
    for (const { objects, title } of cases) {
      const names = objects.map(({ kind, metadata: { name } }) => `${kind}/${name}`);
      expect([title, new Set(names).size]).toEqual([title, names.length]);
      for (const { metadata } of objects) expect(metadata.name).toMatch(/^[a-z0-9][a-z0-9-]{0,62}$/);
    }
  });
});

describe('the charts', () => {
  it('have the version of Understudy', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    for (const name of CHARTS)
      expect(readChart(ROOT, name)).toMatchObject({ name, version, appVersion: version });
  });
});

describeWith('the committed manifests', 'helm-charts', () => {
  it.each(CHARTS)('are those of the chart %s; `npm run generate` writes them', (chart) => {
    expect(readFileSync(join(ROOT, manifestsPath(chart)), 'utf8')).toBe(manifestsOf(ROOT, chart));
  });

  it('pass yamllint, as do the values', () => {
    const folder = mkdtempSync(join(tmpdir(), 'understudy-yamllint-'));
    try {
      const files = CHARTS.flatMap((chart) => [manifestsPath(chart), `deploy/helm/${chart}/values.yaml`]);
      const lint = (paths: readonly string[]) =>
        execFileSync('yamllint', ['--strict', '--config-data', YAMLLINT, ...paths], {
          cwd: ROOT,
          encoding: 'utf8',
        });
      expect(lint(files)).toBe('');
      const bad = join(folder, 'bad.yaml');
      writeFileSync(bad, 'a: 1\na: 2\n');
      expect(() => lint([bad])).toThrow();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** The default rules, except that a file may start without `---`, and that Kubernetes writes modes as octal numbers. */
const YAMLLINT = JSON.stringify({
  extends: 'default',
  rules: {
    'document-start': 'disable',
    'line-length': { max: 120 },
    braces: { 'max-spaces-inside': 1 },
    'comments-indentation': 'disable',
  },
});
