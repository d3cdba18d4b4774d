import { describeWith } from '@understudy/testing';

import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import { selects, type LabelSelector } from './network-rules.js';
import { eachPod, podTemplateOf, renderCases, type Labels, type RenderedCase } from './rendered-charts.js';

interface ServiceObject extends KubernetesObject {
  readonly spec: {
    readonly selector: Labels;
    readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
  };
}

interface IngressObject extends KubernetesObject {
  readonly spec: {
    readonly rules: readonly {
      readonly http: {
        readonly paths: readonly {
          readonly backend: {
            readonly service: { readonly name: string; readonly port: { readonly name: string } };
          };
        }[];
      };
    }[];
  };
}

describeWith('the references of the Helm charts', 'helm-charts', () => {
  let cases: readonly RenderedCase[];
  beforeAll(() => (cases = renderCases()));

  it('mount only volumes that exist', () => {
    eachPod(cases, ({ spec }, at, { objects }) => {
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
    eachPod(cases, (pod, at, { objects }) => {
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

  it('have different names, which are valid', () => {
    for (const { objects, title } of cases) {
      const names = objects.map(({ kind, metadata: { name } }) => `${kind}/${name}`);
      expect([title, new Set(names).size]).toEqual([title, names.length]);
      for (const { metadata } of objects) expect(metadata.name).toMatch(/^[a-z0-9][a-z0-9-]{0,62}$/);
    }
  });

  it('refer to objects and ports of the release that exist', () => {
    const checked = { ingress: 0, service: 0, account: 0, spread: 0 };
    for (const { objects } of cases) {
      const services = objects
        .filter(({ kind }) => kind === 'Service')
        .map((object) => object as ServiceObject);
      const pods = objects.flatMap((object) => podTemplateOf(object) ?? []);
      for (const { spec } of services)
        for (const { targetPort } of spec.ports) {
          const selected = pods.filter(({ metadata }) =>
            selects({ matchLabels: spec.selector }, metadata.labels),
          );
          const ports = selected.flatMap((pod) => pod.spec.containers.flatMap((each) => each.ports ?? []));
          expect(ports.map(({ name }) => name)).toContain(targetPort);
          checked.service++;
        }
      for (const object of objects.filter(({ kind }) => kind === 'Ingress'))
        for (const { http } of (object as IngressObject).spec.rules)
          for (const { backend } of http.paths) {
            const service = services.find(({ metadata }) => metadata.name === backend.service.name);
            expect(service?.spec.ports.map(({ name }) => name)).toContain(backend.service.port.name);
            checked.ingress++;
          }
      for (const pod of pods) {
        const { serviceAccountName = 'default', topologySpreadConstraints = [] } = pod.spec;
        if (serviceAccountName !== 'default') {
          const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount');
          expect(accounts.map(({ metadata }) => metadata.name)).toContain(serviceAccountName);
          checked.account++;
        }
        for (const { labelSelector } of topologySpreadConstraints) {
          expect(pods.filter(({ metadata }) => selects(labelSelector, metadata.labels))).toEqual([pod]);
          checked.spread++;
        }
      }
    }
    expect(Math.min(...Object.values(checked))).toBeGreaterThan(0);
  });
});
