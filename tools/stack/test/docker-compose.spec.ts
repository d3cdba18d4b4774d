import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

interface Service {
  image?: string;
  user?: string;
  build?: { context: string; dockerfile: string };
  restart?: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  network_mode?: string;
  volumes?: string[];
  environment?: Record<string, string>;
  command?: string | string[];
  entrypoint?: string | string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  pids_limit?: number;
  mem_limit?: string;
}

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const file = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(file.services);

// Only the structure of the file is checked, because these tests run without a container engine.
describe('docker-compose.yml', () => {
  it('names the parts of the stack', () => {
    expect(Object.keys(file.services)).toEqual(
      expect.arrayContaining(['postgres', 'redis', 'nats', 'control-plane', 'agent']),
    );
  });

  it.each(services)('%s: has a health check, unless it runs once or only waits', (_name, service) => {
    expect(['no', 'unless-stopped']).toContain(service.restart);
    expect(service.healthcheck !== undefined).toBe(service.restart !== 'no' && !onlyWaits(service));
  });

  it.each(services)(
    '%s: waits only for services that exist, in a state that they can reach',
    (_name, service) => {
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        const other = file.services[name];
        expect(other).toBeDefined();
        const once = other?.restart === 'no';
        expect(condition).toBe(once ? 'service_completed_successfully' : 'service_healthy');
      }
    },
  );

  it.each(services)('%s: shares only the network of a service that does nothing else', (_name, service) => {
    if (service.network_mode === undefined) return;
    const owner = file.services[service.network_mode.replace(/^service:/, '')];
    expect(owner && onlyWaits(owner)).toBe(true);
  });

  it.each(services)('%s: uses files and volumes that exist', (_name, service) => {
    expect(service.image).toBeDefined();
    if (service.build)
      expect(existsSync(resolve(root, service.build.context, service.build.dockerfile))).toBe(true);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) expect(existsSync(join(root, source))).toBe(true);
      else expect(Object.keys(file.volumes)).toContain(source);
    }
  });

  it('has no default for a secret', () => {
    const references = [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => inner ?? '');
    expect(references.length).toBeGreaterThan(5);
    for (const reference of references) expect(reference).toMatch(/^[A-Z_]+:\?/);
    for (const [, { environment = {} }] of services)
      for (const [name, value] of Object.entries(environment))
        if (/(PASSWORD|SEED|AUTH|TOKEN)(?!.*_FILE$)/.test(name)) expect(value).toMatch(/^\$\{[A-Z_]+:\?/);
  });

  it.each(services)('%s: runs without capabilities, on a read-only root, within limits', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/^\d+g$/),
    });
    expect(service.cap_add).toBeUndefined();
  });

  it.each(services)('%s: publishes ports only on loopback', (_name, { ports = [] }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('keeps the owner token off every volume that the agent mounts', () => {
    const bootstrap = file.services['bootstrap'];
    const folders = new Map(
      (bootstrap?.volumes ?? []).map((volume) => volume.split(':') as [string, string]),
    );
    const written = [...String(bootstrap?.command?.at(-1)).matchAll(/cd (\/\w+)|> (\/\w+)\//g)];
    expect(written.map(([, owner, enrolment]) => owner ?? enrolment)).toEqual(['/bootstrap', '/enrolment']);
    const ofAgent = (file.services['agent']?.volumes ?? []).map((volume) => volume.split(':')[0]);
    const ownerVolume = [...folders].find(([, folder]) => folder === '/bootstrap')?.[0];
    expect(ownerVolume).toBeDefined();
    expect(ofAgent).not.toContain(ownerVolume);
    expect(ofAgent).toContain([...folders].find(([, folder]) => folder === '/enrolment')?.[0]);
  });

  it('gives the control plane a role that is not a superuser, on a server that the agent may not use', () => {
    const server = file.services['postgres'];
    const url = new URL(
      (file.services['control-plane']?.environment?.['UNDERSTUDY_DATABASE_URL'] ?? '').replace(
        /\$\{[^}]*\}/,
        'x',
      ),
    );
    expect(url.hostname).toBe('postgres');
    expect(url.username).not.toBe(server?.environment?.['POSTGRES_USER']);
    const policy = parse(readFileSync(join(root, 'deploy/docker/agent-policy.yaml'), 'utf8')) as {
      urls: { host: string }[];
    };
    expect(policy.urls.map(({ host }) => host)).toEqual(['databases']);
  });

  it('reaches the PostgreSQL of the control plane without TLS, which its image does not offer', () => {
    const environment = file.services['control-plane']?.environment;
    expect(environment?.['UNDERSTUDY_ALLOW_PLAINTEXT']).toContain('postgresql');
    expect(environment?.['UNDERSTUDY_DATABASE_URL']).toMatch(/\?sslmode=disable$/);
  });

  it('runs NATS as the owner of its volumes, which come from the image of the control plane', () => {
    const { user, volumes = [] } = file.services['nats'] ?? {};
    expect(user).toBe(/^USER (\S+)$/m.exec(dockerfileOf('control-plane'))?.[1]);
    expect(file.services['nats-configuration']?.volumes).toEqual(
      volumes.map((volume) => volume.replace(/:ro$/, '')),
    );
    const [, folders = ''] = /install -d .* -m 0700 (.+)$/m.exec(dockerfileOf('control-plane')) ?? [];
    for (const volume of volumes) expect(folders.split(' ')).toContain(volume.split(':')[1]);
  });

  it('gives the agent a role that is not a superuser, without an exception in its policy', () => {
    const [, url = ''] = /#\s+(postgresql:\S+)/.exec(text) ?? [];
    expect(new URL(url.replaceAll(/[<>]/g, '')).username).toBe('understudy');
    expect(file.services['databases']?.environment?.['POSTGRES_USER']).toBe('postgres');
    expect(readFileSync(join(root, 'deploy/docker/agent-policy.yaml'), 'utf8')).not.toContain('superuser');
  });

  it.each(['control-plane', 'agent'])(
    '%s: its image installs packages without running their scripts',
    (name) => {
      const installs = dockerfileOf(name).match(/npm install.*/g) ?? [];
      expect(installs).toHaveLength(1);
      for (const install of installs) expect(install).toMatch(/ --offline .*--ignore-scripts /);
    },
  );

  it.each(['control-plane', 'agent'])('%s: its image runs as an ordinary user', (name) => {
    expect(dockerfileOf(name)).toMatch(/^USER 65532:65532$/m);
  });

  it.each(['control-plane', 'agent'])('%s: its image has a base with a version, and no digest', (name) => {
    const dockerfile = dockerfileOf(name);
    expect(dockerfile).toMatch(/^ARG BASE_IMAGE=docker\.io\/library\/node:24-\w+-slim$/m);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(bases).toEqual(['${BASE_IMAGE}', '${BASE_IMAGE}']);
    expect(dockerfile).not.toContain('sha256:');
  });

  it.each(['control-plane', 'agent'])('%s: its image copies only its package from the release', (name) => {
    const sources = [...dockerfileOf(name).matchAll(/^COPY (?!--from)(.*) \S+$/gm)].map(([, files]) => files);
    expect(sources).toEqual([`understudy-${name}-*.tgz`]);
    expect(file.services[name]?.build?.context).toBe('release');
  });

  it.each(['control-plane', 'agent'])(
    '%s: its image and its service set only variables that exist',
    (name) => {
      const reference = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
      const set = [
        ...[...dockerfileOf(name).matchAll(/^ENV (\w+)=/gm)].map(([, variable]) => variable ?? ''),
        ...Object.keys(file.services[name]?.environment ?? {}),
      ];
      expect(set.length).toBeGreaterThan(2);
      for (const variable of set.filter((other) => other !== 'NODE_ENV'))
        expect(reference).toContain(`| \`${variable}\` `);
    },
  );

  it('lets the image of the agent report its health with the status command', () => {
    expect(dockerfileOf('agent')).toMatch(/^HEALTHCHECK .*CMD \["understudy-agent", "status"\]$/m);
  });
});

function onlyWaits({ entrypoint = '' }: Service): boolean {
  return [entrypoint].flat().join(' ') === 'sleep infinity';
}

function dockerfileOf(name: string): string {
  return readFileSync(join(root, `deploy/docker/${name}.Dockerfile`), 'utf8');
}
