import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describeWith } from '@understudy/testing';
import { parse } from 'yaml';

import { mergeValues, readChart, type ChartName, type Values } from '../../src/kubernetes/chart.js';
import type { KubernetesObject } from '../../src/kubernetes/render-chart.js';
import { only, podTemplateOf, render, ROOT } from './rendered-charts.js';

function minimal(chart: ChartName): Values {
  return readChart(ROOT, chart).cases.get('minimal') ?? {};
}

/** A seed in the format of nkeys. */
function seed(prefix: string): string {
  return prefix.padEnd(58, 'A');
}

/** Nothing listens on this port. */
const CLOSED = '127.0.0.1:1';

const PAGE = readFileSync(join(ROOT, 'docs/guides/kubernetes.md'), 'utf8');
const CONTROL_PLANE = 'apps/control-plane/dist/bundle/cli.js';

/** Returns the values in the block of the guide with this file name. */
function block(name: string): Values {
  const text = new RegExp(`^( *)\`\`\`yaml ${name}\\n([^]*?)^\\1\`\`\``, 'm').exec(PAGE)?.[2];
  return parse(text ?? '') as Values;
}

function objectsOf(chart: ChartName, values: Values): readonly KubernetesObject[] {
  return render(chart, values).objects.map(({ object }) => object);
}

describeWith('the programs with the variables and files of a rendered pod', 'helm-charts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-pod-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, content: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { mode: 0o440 });
  }

  /** Returns the variables of the first container, with the paths of the pod below the test's folder. */
  function variablesOf(chart: ChartName, kind: string, values: Values): NodeJS.ProcessEnv {
    const objects = objectsOf(chart, values);
    const [container] = podTemplateOf(only(objects, kind))?.spec.containers ?? [];
    const pairs = (container?.env ?? []).map(({ name, value = '' }) => [
      name,
      value.replace(/^\/(etc|var)\//, `${folder}/$1/`),
    ]);
    return { PATH: process.env['PATH'], ...(Object.fromEntries(pairs) as NodeJS.ProcessEnv) };
  }

  function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    return spawnSync(process.execPath, [join(ROOT, program), ...args], {
      env,
      cwd: folder,
      encoding: 'utf8',
    });
  }

  describe('of the control plane', () => {
    beforeAll(() => {
      write('etc/understudy/secrets/database-url', `postgresql://a:b@${CLOSED}/control\n`);
      write('etc/understudy/secrets/redis-url', `redis://${CLOSED}\n`);
      write('etc/understudy/secrets/nats-operator-seed', seed('SO'));
      for (const name of ['nats-account-seed', 'nats-agent-account-seed', 'nats-system-account-seed'])
        write(`etc/understudy/secrets/${name}`, seed('SA'));
      write('etc/understudy/secrets/ops-password', 'a-password-for-a-test');
      write('etc/understudy/secrets/secrets-key', 'k'.repeat(32));
    });
    const values = mergeValues(minimal('understudy'), { listenAddress: '127.0.0.1' });

    it.each([
      ['start', 'Deployment'],
      ['migrate', 'Job'],
    ])('%s accepts the configuration, and fails only because PostgreSQL is missing', (command, kind) => {
      const done = run(CONTROL_PLANE, [command], variablesOf('understudy', kind, values));
      expect(done.stderr).toContain(`connect ECONNREFUSED ${CLOSED}`);
      expect(done.status).toBe(1); // 2 would be an invalid configuration
    });

    it('start refuses the configuration if a variable is missing', () => {
      const env = variablesOf('understudy', 'Deployment', values);
      const done = run(CONTROL_PLANE, ['start'], { ...env, UNDERSTUDY_OPS_PASSWORD_FILE: undefined });
      expect(done.stderr).toContain('UNDERSTUDY_OPS_PASSWORD');
      expect(done.status).toBe(2);
    });
  });

  it('init and nats-configuration write what the chart reads, with the commands of the guide', () => {
    write('postgresql-url', `postgresql://a:b@${CLOSED}/control`);
    write('redis-url', `redis://${CLOSED}`);
    const commands = [...PAGE.matchAll(/^ *understudy-control-plane ((?:.*\\\n)*.*)$/gm)].map(
      ([, text = '']) =>
        text
          .replace(/\\\n/g, '')
          .replace(/"/g, '')
          .replace('$PWD', folder)
          .replace(/tls:\/\/\S+/, `nats://${CLOSED}`),
    );
    const done = commands.map((command) => run(CONTROL_PLANE, command.split(/ +/), process.env));
    expect(done.map(({ status }) => status)).toEqual([1, 0]); // init cannot reach the services

    const { secretKeys } = readChart(ROOT, 'understudy').defaults as {
      secretKeys: Record<string, { key: string }>;
    };
    const keys = Object.values(secretKeys).map(({ key }) => key);
    expect(readdirSync(join(folder, 'understudy/secrets')).sort()).toEqual(keys.sort());

    const values = mergeValues(minimal('understudy'), block('nats-values.yaml'));
    const objects = objectsOf('understudy', values);
    const mounts = podTemplateOf(only(objects, 'StatefulSet'))?.spec.containers[0]?.volumeMounts ?? [];
    const configuration = readFileSync(join(folder, 'nats.conf'), 'utf8');
    const folders = [...configuration.matchAll(/"(\/[^"]+)\/[^"/]+"/g)].map(([, path]) => path);
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(folders));
    expect(new Set(folders)).toEqual(new Set(['/data', '/etc/nats-tls']));
  });

  it('the agent accepts its variables, its state folder and its policy', () => {
    const values = minimal('understudy-agent');
    const objects = objectsOf('understudy-agent', values);
    const { data } = only(objects, 'ConfigMap') as unknown as { data: Record<string, string> };
    write('etc/understudy-agent/policy/policy.yaml', data['policy.yaml'] ?? '');
    write('etc/understudy-agent/enrolment/token', `us_enrol_${'a'.repeat(43)}`);
    mkdirSync(join(folder, 'var/lib/understudy-agent'), { recursive: true });
    const done = run('apps/agent/dist/bundle/cli.js', ['check', '--json'], {
      ...variablesOf('understudy-agent', 'StatefulSet', values),
      UNDERSTUDY_CONTROL_URL: `http://${CLOSED}/v1`,
      SHOP_URL: `postgresql://a:b@${CLOSED}/shop`,
      STAGING_URL: `postgresql://a:b@${CLOSED}/staging`,
    });
    const steps = JSON.parse(done.stdout) as { step: string; state: string; facts: string }[];
    const states = Object.fromEntries(steps.map(({ step, state }) => [step, state]));
    expect(states).toMatchObject({
      configuration: 'ok',
      'state folder': 'ok',
      policy: 'ok',
      'enrolment token': 'ok',
      'control plane TCP': 'fail',
    });
    expect(steps.find(({ step }) => step === 'policy')?.facts).toContain('2 databases');
  });
});

describeWith('the values of docs/guides/kubernetes.md', 'helm-charts', () => {
  it('render both charts', () => {
    expect(only(objectsOf('understudy', block('values.yaml')), 'Deployment')).toBeDefined();
    expect(only(objectsOf('understudy-agent', block('agent-values.yaml')), 'StatefulSet')).toBeDefined();
    const others = mergeValues(block('values.yaml'), { nats: null });
    const withNats = mergeValues(others, block('nats-values.yaml'));
    expect(only(objectsOf('understudy', withNats), 'StatefulSet')).toBeDefined();
  });
});
