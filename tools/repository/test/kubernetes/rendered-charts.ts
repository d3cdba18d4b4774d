import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CHARTS, readChart, type ChartName, type Values } from '../../src/kubernetes/chart.js';
import { renderChart, type KubernetesObject, type RenderedChart } from '../../src/kubernetes/render-chart.js';

export const ROOT = join(import.meta.dirname, '../../../..');

export type Labels = Readonly<Record<string, string>>;

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly resources?: { readonly requests?: object; readonly limits?: { readonly memory?: string } };
  readonly securityContext?: object;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

/** The parts of the template of a pod that the tests read. */
export interface PodTemplate {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly securityContext?: object;
    readonly automountServiceAccountToken?: boolean;
    readonly serviceAccountName?: string;
    readonly terminationGracePeriodSeconds?: number;
    readonly topologySpreadConstraints?: readonly {
      readonly labelSelector: { readonly matchLabels: Labels };
    }[];
    readonly volumes?: readonly { readonly name: string }[];
  };
}

/** A release of a chart with the values of one file in ci/. */
export interface RenderedCase {
  readonly chart: ChartName;
  readonly title: string;
  readonly values: Values;
  readonly rendered: RenderedChart;
  readonly objects: readonly KubernetesObject[];
}

/** Renders a chart as the release `demo` in the namespace `tools`. */
export function render(chart: ChartName, values: Values): RenderedChart {
  return renderChart(ROOT, readChart(ROOT, chart), values, {
    name: 'demo',
    namespace: 'tools',
    service: 'Helm',
  });
}

/** Renders each chart with each file in its folder ci/. */
export function renderCases(): readonly RenderedCase[] {
  return CHARTS.flatMap((chart) =>
    [...readChart(ROOT, chart).cases].map(([name, values]) => {
      const rendered = render(chart, values);
      const objects = rendered.objects.map(({ object }) => object);
      return { chart, title: `${chart} with ci/${name}-values.yaml`, values, rendered, objects };
    }),
  );
}

/** Returns the template of the pods that an object starts, or undefined if it starts none. */
export function podTemplateOf(object: KubernetesObject): PodTemplate | undefined {
  return (object['spec'] as { template?: PodTemplate } | undefined)?.template;
}

/** Calls the function with each template of a pod in each case, and the title of its object. */
export function eachPod(
  cases: readonly RenderedCase[],
  visit: (pod: PodTemplate, title: string, from: RenderedCase) => void,
): void {
  const found = cases.flatMap((each) =>
    each.objects.flatMap((object) => {
      const pod = podTemplateOf(object);
      return pod === undefined ? [] : [{ pod, each, title: `${each.title}: ${object.kind}` }];
    }),
  );
  if (found.length < cases.length) throw new Error('expected a pod in each case');
  for (const { pod, title, each } of found) visit(pod, title, each);
}

/** Returns the only object of a kind, or with a name of its own. */
export function only(objects: readonly KubernetesObject[], kind: string, name?: string): KubernetesObject {
  const found = objects.filter(
    (object) => object.kind === kind && (name === undefined || object.metadata.name === name),
  );
  const [object] = found;
  if (object === undefined || found.length > 1)
    throw new Error(`expected one ${kind}, found ${found.length}`);
  return object;
}

/** Returns the variables that a section of docs/reference/configuration.md lists. */
export function variablesOf(section: 'Control plane' | 'Agent'): ReadonlySet<string> {
  const page = readFileSync(join(ROOT, 'docs/reference/configuration.md'), 'utf8');
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return new Set([...text.matchAll(/^\| `(\w+)`/gm)].flatMap(([, name]) => name ?? []));
}
