import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CHARTS, readChart, type ChartName } from './chart.js';
import { renderChart } from './render-chart.js';

/** The case of each chart whose objects are committed for clusters without Helm. */
const CASE = 'minimal';

/** Returns the path of the committed manifests of a chart. */
export function manifestsPath(chart: ChartName): string {
  return `deploy/kubernetes/${chart}.yaml`;
}

/** Renders the manifests of a chart for users without Helm. Needs the toolchain `helm-charts`. */
export function manifestsOf(root: string, name: ChartName): string {
  const chart = readChart(root, name);
  const release = { name, namespace: name, service: 'kubectl' };
  const { objects } = renderChart(root, chart, chart.cases.get(CASE) ?? {}, release);
  const head = [
    `# Written by \`npm run generate\` from deploy/helm/${name} with ci/${CASE}-values.yaml. Do not edit.`,
    '# For clusters without Helm. Copy this file, replace the example URLs, addresses and databases, and create the',
    '# Secrets that it names. docs/guides/kubernetes.md describes them. Then run:',
    `#   kubectl apply --namespace ${name} --filename ${name}.yaml`,
  ];
  return `${[head.join('\n'), ...objects.map(({ text }) => text)].join('\n---\n')}\n`;
}

/** Writes the manifests of all charts. Needs the toolchain `helm-charts`. */
export function writeManifests(root: string): void {
  for (const chart of CHARTS) writeFileSync(join(root, manifestsPath(chart)), manifestsOf(root, chart));
}
