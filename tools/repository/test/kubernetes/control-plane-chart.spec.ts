import { describeWith } from '@understudy/testing';

import { mergeValues, readChart, type Values } from '../../src/kubernetes/chart.js';
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

describeWith('the objects of the control plane', 'helm-charts', () => {
  it('run two pods, of which one at a time may be evicted', () => {
    const objects = objectsOf(MINIMAL);
    expect(only(objects, 'Deployment')['spec']).toMatchObject({
      replicas: 2,
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
    });
    expect(only(objects, 'PodDisruptionBudget')['spec']).toMatchObject({ maxUnavailable: 1 });
  });

  it('leave the number of pods to the autoscaler if it is enabled', () => {
    const objects = objectsOf(FULL);
    expect(only(objects, 'Deployment')['spec']).not.toHaveProperty('replicas');
    expect(only(objects, 'HorizontalPodAutoscaler')['spec']).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'masking' },
      minReplicas: 2,
    });
  });

  it('listen where the kubelet can reach the probes', () => {
    const [container] = podTemplateOf(only(objectsOf(MINIMAL), 'Deployment'))?.spec.containers ?? [];
    for (const name of ['UNDERSTUDY_HOST', 'UNDERSTUDY_OPS_HOST'])
      expect(container?.env).toContainEqual({ name, value: '0.0.0.0' });
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'http', scheme: 'HTTP' } },
      ports: [
        { name: 'http', containerPort: 8080 },
        { name: 'operations', containerPort: 8081 },
      ],
    });
    const [withTls] = podTemplateOf(only(objectsOf(FULL), 'Deployment'))?.spec.containers ?? [];
    expect(withTls).toMatchObject({ readinessProbe: { httpGet: { scheme: 'HTTPS' } } });
  });

  it('read every secret from a file of the volume', () => {
    for (const values of [MINIMAL, FULL]) {
      const pod = podTemplateOf(only(objectsOf(values), 'Deployment'))?.spec;
      const files = (pod?.containers[0]?.env ?? []).flatMap(({ name, value }) =>
        name.endsWith('_FILE') && value?.startsWith('/etc/understudy/secrets/') ? value : [],
      );
      expect(files).toHaveLength(8);
      const volume = pod?.volumes?.find(({ name }) => name === 'secrets') as {
        projected: { defaultMode: number; sources: { secret: { items: { path: string }[] } }[] };
      } & { name: string };
      expect(volume.projected.defaultMode).toBe(0o440);
      const paths = volume.projected.sources.flatMap(({ secret }) => secret.items.map(({ path }) => path));
      expect(files.map((file) => file.replace('/etc/understudy/secrets/', '')).sort()).toEqual(paths.sort());
    }
  });

  it('use another Secret for a key that names one', () => {
    const pod = podTemplateOf(only(objectsOf(FULL), 'Deployment'))?.spec;
    const volume = pod?.volumes?.find(({ name }) => name === 'secrets');
    const source = (name: string, key: string, path: string) => ({
      secret: { name, items: [{ key, path }] },
    });
    expect(volume).toMatchObject({
      projected: {
        sources: expect.arrayContaining([
          source('postgres-app', 'uri', 'database-url'),
          source('operations', 'ops-password', 'ops-password'),
          source('understudy', 'redis-url', 'redis-url'),
        ]) as unknown,
      },
    });
  });

  it('migrate the schema before anything else, with no object that does not exist yet', () => {
    const objects = objectsOf(MINIMAL);
    const job = only(objects, 'Job');
    const pod = podTemplateOf(job)?.spec;
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect(pod?.containers[0]?.command).toEqual(['understudy-control-plane', 'migrate']);
    expect(pod).not.toHaveProperty('serviceAccountName');
    expect(pod?.volumes?.map(({ name }) => name)).toEqual(['secrets']);
    const hooks = objects.filter(
      ({ metadata: { annotations } }) => annotations?.['helm.sh/hook'] !== undefined,
    );
    expect(hooks.map(({ kind }) => kind)).toEqual(['NetworkPolicy', 'Job']);
    const weights = hooks.map(({ metadata }) => Number(metadata.annotations?.['helm.sh/hook-weight']));
    expect(weights[0]).toBeLessThan(weights[1] ?? 0);
  });

  it('show metrics to the Prometheus operator through a Service that only has the operations port', () => {
    const objects = objectsOf(FULL);
    const service = only(objects, 'Service', 'masking-operations');
    const monitor = only(objects, 'ServiceMonitor')['spec'] as {
      selector: LabelSelector;
      endpoints: { port: string; path: string }[];
    };
    const services = objects.filter(({ kind }) => kind === 'Service');
    const monitored = services.filter(({ metadata }) => selects(monitor.selector, metadata.labels ?? {}));
    expect(monitored).toEqual([service]);
    expect(service['spec']).toMatchObject({ ports: [{ name: 'operations', targetPort: 'operations' }] });
    expect(monitor.endpoints).toEqual([{ port: 'operations', path: '/metrics', interval: '30s' }]);
    expect(only(objects, 'Service', 'masking')['spec']).toMatchObject({ ports: [{ name: 'http' }] });
  });

  it('have no ingress, autoscaler, monitor or NATS server by default', () => {
    expect([...new Set(objectsOf(MINIMAL).map(({ kind }) => kind))].sort()).toEqual(
      ['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'].sort(),
    );
  });
});

describeWith('the values of the control plane', 'helm-charts', () => {
  it.each<[string, Values, RegExp]>([
    ['no pod', { replicaCount: 0 }, /\/replicaCount must be >= 1/],
    ['no Secret', { existingSecret: null }, /'existingSecret'/],
    ['an empty name of the Secret', { existingSecret: '' }, /\/existingSecret/],
    ['a password', { opsPassword: 'x' }, /: opsPassword/],
    ['a URL of PostgreSQL', { postgresql: { url: 'postgresql://a:b@c/d' } }, /\/postgresql .*: url/],
    [
      'a secret in a variable',
      { extraEnv: [{ name: 'UNDERSTUDY_OPS_PASSWORD', value: 'x' }] },
      /\/extraEnv\/0 .*'valueFrom'/,
    ],
    ['no address of PostgreSQL', { postgresql: { to: null } }, /\/postgresql .*'to'/],
    ['no address of NATS', { nats: { to: null } }, /nats\.to: expected the addresses of NATS/],
    ['plaintext to NATS', { nats: { url: 'nats://nats:4222' } }, /\/nats\/url/],
    ['plain HTTP for clients', { publicUrl: 'http://understudy.example.com' }, /\/publicUrl/],
    ['an ingress without a host', { ingress: { enabled: true } }, /\/ingress\/host/],
    [
      'a NATS server without a configuration',
      { natsServer: { enabled: true } },
      /\/natsServer\/existingSecret/,
    ],
    ['a string as a port', { redis: { port: '6379' } }, /\/redis\/port must be integer/],
  ])('may not contain %s', (_, change, problem) => {
    expect(() => render('understudy', mergeValues(MINIMAL, change))).toThrow(problem);
  });

  it('need no addresses if the network policy is off', () => {
    const values = mergeValues(MINIMAL, {
      networkPolicy: { enabled: false },
      postgresql: null,
      redis: null,
      nats: { to: null },
    });
    expect(objectsOf({ ...values, postgresql: {}, redis: {} }).map(({ kind }) => kind)).not.toContain(
      'NetworkPolicy',
    );
  });
});
