import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { checkValues, mergeValues, type Chart, type Values } from './chart.js';

/** An object of Kubernetes, in the form of its manifest. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** A rendered object with the text of its manifest, including the comments before it. */
export interface RenderedObject {
  readonly object: KubernetesObject;
  readonly text: string;
}

export interface RenderedChart {
  /** In the order in which helm creates them: by kind, and then by template. */
  readonly objects: readonly RenderedObject[];
  /** The text of NOTES.txt. */
  readonly notes: string;
}

/** The identity of a release. */
export interface ReleaseName {
  readonly name: string;
  readonly namespace: string;
  /** The program that manages the objects, for the label `app.kubernetes.io/managed-by`. */
  readonly service: string;
}

/** Helm and kubectl read YAML 1.1, in which 0440 is octal. */
const YAML_OF_KUBERNETES = { version: '1.1', strict: true, uniqueKeys: true } as const;

/** Debian's packages of Go are in this folder. */
const GO_ENVIRONMENT = { GOPATH: '/usr/share/gocode', GO111MODULE: 'off', GOFLAGS: '', GOTOOLCHAIN: 'local' };

/** The beginning of helm's order of kinds. All other kinds follow. */
const KINDS = [
  ...['NetworkPolicy', 'PodDisruptionBudget', 'ServiceAccount', 'Secret', 'ConfigMap'],
  ...['Service', 'Deployment', 'HorizontalPodAutoscaler', 'StatefulSet', 'Job', 'Ingress'],
];

/**
 * Renders a chart with Go's text/template and Sprig, because helm cannot be installed on the test machines. Needs the
 * toolchain `helm`.
 * @throws Error if the values do not fit values.schema.json, or if a template fails
 */
export function renderChart(root: string, chart: Chart, given: Values, release: ReleaseName): RenderedChart {
  const values = mergeValues(chart.defaults, given);
  const problems = checkValues(chart, values);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const request = {
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Templates: chart.templates,
    Capabilities: { KubeVersion: { Version: 'v1.30.0', Major: '1', Minor: '30' }, APIVersions: [] },
    Release: {
      ...{ Name: release.name, Namespace: release.namespace, Service: release.service },
      ...{ IsInstall: true, IsUpgrade: false, Revision: 1 },
    },
    Values: values,
  };
  const out = execFileSync(renderProgram(root), { input: JSON.stringify(request), encoding: 'utf8' });
  const result = JSON.parse(out) as { texts?: Record<string, string>; error?: string };
  if (result.texts === undefined) throw new Error(result.error);
  const notes = `${chart.name}/templates/NOTES.txt`;
  const texts = Object.entries(result.texts).filter(([name]) => name !== notes);
  return {
    objects: texts
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, text]) => objectsIn(name, text))
      .sort(byKind),
    notes: result.texts[notes] ?? '',
  };
}

let program: string | undefined;

/** Builds the program once in each run of the tests, or else once in this process. */
function renderProgram(root: string): string {
  if (program !== undefined) return program;
  const folder = process.env['UNDERSTUDY_TEST_SHARED'] ?? temporaryFolder();
  const path = join(folder, 'helm-render');
  if (!existsSync(path)) {
    const draft = `${path}-${process.pid}`; // the tests in another process may build it at the same time
    execFileSync('go', ['build', '-o', draft, './tools/repository/helm-render'], {
      cwd: root,
      env: { ...process.env, ...GO_ENVIRONMENT },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(draft, path);
  }
  return (program = path);
}

/** Creates a folder that is deleted when the process exits. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helm-render-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function objectsIn(name: string, text: string): RenderedObject[] {
  return text
    .split(/^---$/m)
    .map((part) => part.replace(/\n{2,}/g, '\n').trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [document, ...others] = parseAllDocuments(part, YAML_OF_KUBERNETES);
      if (document === undefined || !('toJS' in document) || others.length > 0 || document.errors.length > 0)
        throw new Error(`${name}: expected one valid YAML document\n${part}`);
      return { object: document.toJS() as KubernetesObject, text: part };
    });
}

/** Compares by kind. The sort is stable, so objects of one kind keep the order of their templates. */
function byKind(a: RenderedObject, b: RenderedObject): number {
  return rankOf(a.object.kind) - rankOf(b.object.kind);
}

function rankOf(kind: string): number {
  const index = KINDS.indexOf(kind);
  return index < 0 ? KINDS.length : index;
}
