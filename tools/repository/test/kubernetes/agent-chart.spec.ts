import { describeWith } from '@understudy/testing';

import { mergeValues, readChart, type Values } from '../../src/kubernetes/chart.js';
import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import { allows, selects, type End, type NetworkPolicySpec } from './network-rules.js';
import { only, podTemplateOf, render, ROOT } from './rendered-charts.js';

const { cases } = readChart(ROOT, 'understudy-agent');
const MINIMAL = cases.get('minimal') as Values;
const FULL = cases.get('full') as Values;

function objectsOf(values: Values): readonly KubernetesObject[] {
  return render('understudy-agent', values).objects.map(({ object }) => object);
}

const NAME_SERVER: End = {
  namespace: { 'kubernetes.io/metadata.name': 'kube-system' },
  pod: { 'k8s-app': 'kube-dns' },
};

describeWith('the network policy of the agent', 'helm-charts', () => {
  it('admits the name server, the control plane, NATS and the listed databases, and nothing else', () => {
    const policy = only(objectsOf(MINIMAL), 'NetworkPolicy');
    const admits = (other: End, port: number, protocol?: string) =>
      allows(policy, 'egress', other, port, protocol);

    expect(admits(NAME_SERVER, 53, 'UDP')).toBe(true);
    expect(admits(NAME_SERVER, 53)).toBe(true);
    expect(admits('203.0.113.10', 443)).toBe(true);
    expect(admits('203.0.113.11', 4222)).toBe(true);
    expect(admits('10.20.0.5', 5432)).toBe(true);
    expect(admits('10.20.0.6', 5432)).toBe(true);

    expect(admits('10.20.0.7', 5432)).toBe(false); // another database
    expect(admits('10.20.0.5', 22)).toBe(false); // another port of the same machine
    expect(admits('203.0.113.10', 80)).toBe(false);
    expect(admits('203.0.113.11', 443)).toBe(false);
    expect(admits('169.254.169.254', 80)).toBe(false); // the metadata of a cloud
    expect(admits('8.8.8.8', 53, 'UDP')).toBe(false);
    expect(admits('8.8.8.8', 443)).toBe(false);
    expect(admits('2001:db8::1', 443)).toBe(false);
    expect(admits({ ...NAME_SERVER, pod: { app: 'other' } }, 53, 'UDP')).toBe(false);
    expect(admits({ namespace: { 'kubernetes.io/metadata.name': 'tools' }, pod: {} }, 5432)).toBe(false);
  });

  it('admits pods by their labels, and the rules of extraEgress', () => {
    const policy = only(objectsOf(FULL), 'NetworkPolicy');
    const database = { namespace: { 'kubernetes.io/metadata.name': 'shop' }, pod: { app: 'postgresql' } };
    expect(allows(policy, 'egress', database, 5433)).toBe(true);
    expect(allows(policy, 'egress', { ...database, pod: { app: 'web' } }, 5433)).toBe(false);
    expect(allows(policy, 'egress', '198.51.100.7', 443)).toBe(true);
  });

  it('has no rule for NATS if NATS has no peers, because such a rule would admit every address', () => {
    const policy = only(objectsOf(FULL), 'NetworkPolicy');
    for (const address of ['203.0.113.11', '8.8.8.8', '203.0.113.10'])
      expect(allows(policy, 'egress', address, 4222)).toBe(false);
  });

  it('admits no connection to the agent', () => {
    const policy = only(objectsOf(MINIMAL), 'NetworkPolicy');
    expect(allows(policy, 'ingress', '203.0.113.10', 443)).toBe(false);
    expect(allows(policy, 'ingress', NAME_SERVER, 53)).toBe(false);
  });

  it('selects the pod of the agent of its own release only', () => {
    const objects = objectsOf(MINIMAL);
    const { podSelector } = only(objects, 'NetworkPolicy')['spec'] as NetworkPolicySpec;
    const labels = podTemplateOf(only(objects, 'StatefulSet'))?.metadata.labels ?? {};
    expect(selects(podSelector, labels)).toBe(true);
    expect(selects(podSelector, { ...labels, 'app.kubernetes.io/instance': 'other' })).toBe(false);
  });
});

describeWith('the pod of the agent', 'helm-charts', () => {
  it('runs once, keeps its state folder, and listens on no port', () => {
    const objects = objectsOf(MINIMAL);
    const { spec } = only(objects, 'StatefulSet');
    expect(spec).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [{ metadata: { name: 'state' }, spec: { accessModes: ['ReadWriteOnce'] } }],
    });
    expect(objects.map(({ kind }) => kind)).not.toContain('Service');
    expect(podTemplateOf(only(objects, 'StatefulSet'))?.spec.containers[0]?.ports).toBeUndefined();
  });

  it('is not restarted while the link is lost, and has longer than a lease to stop its jobs', () => {
    const pod = podTemplateOf(only(objectsOf(MINIMAL), 'StatefulSet'))?.spec;
    expect(pod?.containers[0]?.livenessProbe).toBeUndefined();
    expect(pod?.containers[0]?.readinessProbe).toMatchObject({
      exec: { command: ['understudy-agent', 'status'] },
    });
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(45);
  });

  it('reads secrets from files that only its group can read, or from the variables of the policy', () => {
    const pod = podTemplateOf(only(objectsOf(MINIMAL), 'StatefulSet'))?.spec;
    expect(pod?.volumes).toContainEqual({
      name: 'enrolment',
      secret: {
        secretName: 'understudy-agent-enrolment',
        optional: true,
        defaultMode: 0o440,
        items: [{ key: 'token', path: 'token' }],
      },
    });
    const variables = pod?.containers[0]?.env ?? [];
    expect(variables).toContainEqual({
      name: 'UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE',
      value: '/etc/understudy-agent/enrolment/token',
    });
    expect(variables).toContainEqual({
      name: 'SHOP_URL',
      valueFrom: { secretKeyRef: { name: 'shop-database', key: 'url' } },
    });
  });

  it('needs no Secret with an enrolment token if the agent is already enrolled', () => {
    const pod = podTemplateOf(only(objectsOf(FULL), 'StatefulSet'))?.spec;
    expect(pod?.volumes?.map(({ name }) => name)).not.toContain('enrolment');
    expect(pod?.containers[0]?.env?.map(({ name }) => name)).not.toContain(
      'UNDERSTUDY_AGENT_ENROLMENT_TOKEN_FILE',
    );
  });

  it('restarts if the policy changes', () => {
    const checksum = (values: Values): unknown =>
      podTemplateOf(only(objectsOf(values), 'StatefulSet'))?.metadata;
    const policy = { ...(MINIMAL['policy'] as object), allow_training: true };
    expect(checksum({ ...MINIMAL, policy })).not.toEqual(checksum(MINIMAL));
    expect(checksum({ ...MINIMAL, logLevel: 'debug' })).toEqual(checksum(MINIMAL));
  });
});

describeWith('the values of the agent', 'helm-charts', () => {
  it.each<[string, Values, RegExp]>([
    ['a password', { databases: [{ password: 'secret' }] }, /\/databases\/0 .*: password/],
    ['a token', { enrolment: { existingSecret: 'a', token: 'us_enrol_1' } }, /\/enrolment .*: token/],
    ['an unknown key', { replicaCount: 2 }, /must NOT have additional properties: replicaCount/],
    ['no enrolment Secret', { enrolment: { existingSecret: null } }, /\/enrolment .*'existingSecret'/],
    ['no policy', { policy: null }, /'policy'/],
    [
      'a URL in the policy',
      { policy: { databases: { shop: { url: 'postgresql://a:b@c/d' } } } },
      /\/policy\/databases\/shop .*: url/,
    ],
    ['no address of the control plane', { controlPlane: { to: null } }, /\/controlPlane .*'to'/],
    [
      'no address of a database',
      { databases: [{ env: 'A', existingSecret: 'a', key: 'url', port: 5432 }] },
      /\/databases\/0 .*'to'/,
    ],
    ['every address', { nats: { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] } }, /\/nats\/to\/0\/ipBlock\/cidr/],
    [
      'every address of IPv6',
      { nats: { to: [{ ipBlock: { cidr: '::/0' } }] } },
      /\/nats\/to\/0\/ipBlock\/cidr/,
    ],
    ['every namespace', { nats: { to: [{ namespaceSelector: {} }] } }, /\/nats\/to\/0\/namespaceSelector/],
    ['plain HTTP', { controlPlane: { url: 'http://understudy.example.com/v1' } }, /\/controlPlane\/url/],
    [
      'a secret in a variable',
      { extraEnv: [{ name: 'AWS_SECRET_ACCESS_KEY', value: 'x' }] },
      /\/extraEnv\/0 .*'valueFrom'/,
    ],
  ])('may not contain %s', (_, change, problem) => {
    expect(() => render('understudy-agent', mergeValues(MINIMAL, change))).toThrow(problem);
  });

  it('need a Secret for each database of the policy', () => {
    const policy = { databases: { other: { url_env: 'OTHER_URL', roles: ['source'] } } };
    expect(() => render('understudy-agent', { ...MINIMAL, policy })).toThrow(
      'policy.databases.other: expected an entry of databases with env: OTHER_URL, found none',
    );
  });

  it('name no database that the policy does not use', () => {
    const policy = { databases: { shop: { url_env: 'SHOP_URL', roles: ['source'] } } };
    expect(() => render('understudy-agent', { ...MINIMAL, policy })).toThrow(
      'databases: expected a database of the policy with url_env: STAGING_URL, found none',
    );
  });
});
