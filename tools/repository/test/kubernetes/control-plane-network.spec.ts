import { describeWith } from '@understudy/testing';

import { readChart, type Values } from '../../src/kubernetes/chart.js';
import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import { allows, selects, type End, type LabelSelector, type NetworkPolicySpec } from './network-rules.js';
import { only, podTemplateOf, render, ROOT, type Labels } from './rendered-charts.js';

const { cases } = readChart(ROOT, 'understudy');
const MINIMAL = cases.get('minimal') as Values;
const FULL = cases.get('full') as Values;

function objectsOf(values: Values): readonly KubernetesObject[] {
  return render('understudy', values).objects.map(({ object }) => object);
}

function labelsOf(objects: readonly KubernetesObject[], kind: string, name?: string): Labels {
  return podTemplateOf(only(objects, kind, name))?.metadata.labels ?? {};
}

function inNamespace(name: string, pod: Labels = {}): End {
  return { namespace: { 'kubernetes.io/metadata.name': name }, pod };
}

const NAME_SERVER = inNamespace('kube-system', { 'k8s-app': 'kube-dns' });

describeWith('the network policies of the control plane', 'helm-charts', () => {
  it('admit PostgreSQL, Redis, NATS, the name server and public HTTPS, and nothing else', () => {
    const policy = only(objectsOf(MINIMAL), 'NetworkPolicy', 'demo-understudy');
    const admits = (other: End, port: number, protocol?: string) =>
      allows(policy, 'egress', other, port, protocol);

    expect(admits(NAME_SERVER, 53, 'UDP')).toBe(true);
    expect(admits('10.20.0.10', 5432)).toBe(true);
    expect(admits('10.20.0.11', 6379)).toBe(true);
    expect(admits('203.0.113.11', 4222)).toBe(true);
    expect(admits('8.8.8.8', 443)).toBe(true); // webhooks
    expect(admits('2001:db8::1', 443)).toBe(true);

    expect(admits('10.20.0.12', 5432)).toBe(false);
    expect(admits('10.20.0.10', 443)).toBe(false); // webhooks to private addresses
    expect(admits('169.254.169.254', 443)).toBe(false);
    expect(admits('169.254.169.254', 80)).toBe(false);
    expect(admits('fd00:ec2::254', 443)).toBe(false);
    expect(admits('8.8.8.8', 80)).toBe(false);
  });

  it('admit no public address without publicHttps', () => {
    const objects = objectsOf(FULL);
    const policy = only(objects, 'NetworkPolicy', 'masking');
    expect(allows(policy, 'egress', '8.8.8.8', 443)).toBe(false);
    expect(allows(policy, 'egress', '10.30.1.1', 443)).toBe(true); // extraEgress
    expect(allows(policy, 'egress', inNamespace('tools', { 'cnpg.io/cluster': 'understudy' }), 5432)).toBe(
      true,
    );
    expect(allows(policy, 'egress', inNamespace('other', { 'cnpg.io/cluster': 'understudy' }), 5432)).toBe(
      false,
    );
    expect(allows(policy, 'egress', inNamespace('redis', { app: 'redis' }), 6380)).toBe(true);
    expect(allows(policy, 'egress', inNamespace('tools', labelsOf(objects, 'StatefulSet')), 4222)).toBe(true);
  });

  it('let clients reach the API, and only listed peers the operations listener', () => {
    const minimal = only(objectsOf(MINIMAL), 'NetworkPolicy', 'demo-understudy');
    expect(allows(minimal, 'ingress', '198.51.100.1', 8080)).toBe(true);
    expect(allows(minimal, 'ingress', '198.51.100.1', 8081)).toBe(false);
    expect(allows(minimal, 'ingress', inNamespace('tools'), 8081)).toBe(false);

    const full = only(objectsOf(FULL), 'NetworkPolicy', 'masking');
    expect(allows(full, 'ingress', inNamespace('ingress-nginx'), 8080)).toBe(true);
    expect(allows(full, 'ingress', '198.51.100.1', 8080)).toBe(false);
    expect(allows(full, 'ingress', inNamespace('monitoring'), 8081)).toBe(true);
    expect(allows(full, 'ingress', inNamespace('ingress-nginx'), 8081)).toBe(false);
  });

  it('let the migration reach PostgreSQL and the name server only', () => {
    const policy = only(objectsOf(MINIMAL), 'NetworkPolicy', 'demo-understudy-migration');
    expect(allows(policy, 'egress', NAME_SERVER, 53, 'UDP')).toBe(true);
    expect(allows(policy, 'egress', '10.20.0.10', 5432)).toBe(true);
    expect(allows(policy, 'egress', '10.20.0.11', 6379)).toBe(false);
    expect(allows(policy, 'egress', '8.8.8.8', 443)).toBe(false);
    expect(allows(policy, 'ingress', '198.51.100.1', 8080)).toBe(false);
  });

  it('let the control plane and the listed clients reach the NATS server', () => {
    const objects = objectsOf(FULL);
    const policy = only(objects, 'NetworkPolicy', 'masking-nats');
    expect(allows(policy, 'ingress', inNamespace('tools', labelsOf(objects, 'Deployment')), 4222)).toBe(true);
    expect(allows(policy, 'ingress', '198.51.100.1', 4222)).toBe(true);
    expect(allows(policy, 'ingress', '198.51.100.1', 9222)).toBe(true);
    expect(allows(policy, 'ingress', '203.0.113.1', 4222)).toBe(false);
    expect(allows(policy, 'ingress', '198.51.100.1', 8222)).toBe(false);
    expect(allows(policy, 'egress', '8.8.8.8', 443)).toBe(false);
  });

  it('and all other selectors match the pods of one component each', () => {
    const objects = objectsOf(FULL);
    const pods = {
      'control-plane': labelsOf(objects, 'Deployment'),
      migration: labelsOf(objects, 'Job'),
      nats: labelsOf(objects, 'StatefulSet'),
    };
    const matched = (selector: LabelSelector): string[] =>
      Object.entries(pods).flatMap(([component, labels]) => (selects(selector, labels) ? component : []));
    const selectorOf = ({ kind, spec }: KubernetesObject): LabelSelector => {
      if (kind === 'Service') return { matchLabels: (spec as { selector: Labels }).selector };
      if (kind === 'NetworkPolicy') return (spec as NetworkPolicySpec).podSelector;
      return (spec as { selector: LabelSelector }).selector;
    };
    const selecting = objects.filter(({ kind }) =>
      ['Service', 'NetworkPolicy', 'PodDisruptionBudget', 'Deployment', 'StatefulSet'].includes(kind),
    );
    const found = selecting.map((object) => [object.kind, object.metadata.name, matched(selectorOf(object))]);
    expect(found.sort()).toEqual(
      [
        ['Deployment', 'masking', ['control-plane']],
        ['NetworkPolicy', 'masking', ['control-plane']],
        ['NetworkPolicy', 'masking-migration', ['migration']],
        ['NetworkPolicy', 'masking-nats', ['nats']],
        ['PodDisruptionBudget', 'masking', ['control-plane']],
        ['Service', 'masking', ['control-plane']],
        ['Service', 'masking-nats', ['nats']],
        ['Service', 'masking-operations', ['control-plane']],
        ['StatefulSet', 'masking-nats', ['nats']],
      ].sort(),
    );
  });
});
