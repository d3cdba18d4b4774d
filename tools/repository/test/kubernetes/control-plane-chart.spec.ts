import { describeWith } from '@understudy/testing';

import { mergeValues, readChart, type Values } from '../../src/kubernetes/chart.js';
import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import { selects, type LabelSelector } from './network-rules.js';
import { only, podTemplateOf, render, ROOT } from './rendered-charts.js';

const { cases } = readChart(ROOT, 'understudy');
const MINIMAL = cases.get('minimal') as Values;
const FULL = cases.get('full') as Values;

function objectsOf(values: Values): readonly KubernetesObject[] {
  return render('understudy', values).objects.map(({ object }) => object);
}

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
