import { createRequire } from 'node:module';
import { join } from 'node:path';

import { describeWith } from '@understudy/testing';
import ts from 'typescript';

import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import { eachPod, renderCases, ROOT, variablesOf, type RenderedCase } from './rendered-charts.js';

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
    eachPod(cases, (pod, at, { chart, values }) => {
      const known = variablesOf(chart === 'understudy-agent' ? 'Agent' : 'Control plane');
      const databases = (values['databases'] ?? []) as readonly { env: string }[];
      const expected = new Set([...known, ...databases.map(({ env }) => env)]);
      for (const { env = [] } of pod.spec.containers)
        expect([at, env.map(({ name }) => name).filter((name) => !expected.has(name))]).toEqual([at, []]);
    });
  });

  it('let no container change its file system, gain rights or use memory without a limit', () => {
    eachPod(cases, ({ spec }, at) => {
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
});
