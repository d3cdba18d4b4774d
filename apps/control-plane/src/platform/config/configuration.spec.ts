import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TestAuthority } from '@understudy/testing';

import { DEFAULTS, ConfigurationError, readConfiguration } from './configuration.js';
import { SECRET_VARIABLES } from './variables.js';
import { DEFAULT_PLAN_LIMITS } from './plans.js';

const COMPLETE = {
  UNDERSTUDY_DATABASE_URL: 'postgresql://u:topsecret@127.0.0.1:5432/understudy',
  UNDERSTUDY_REDIS_URL: 'redis://127.0.0.1:6379',
  UNDERSTUDY_NATS_URL: 'nats://127.0.0.1:4222',
  UNDERSTUDY_NATS_OPERATOR_SEED: `SO${'A'.repeat(56)}`,
  UNDERSTUDY_NATS_ACCOUNT_SEED: `SA${'A'.repeat(56)}`,
  UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: `SA${'C'.repeat(56)}`,
  UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: `SA${'B'.repeat(56)}`,
  UNDERSTUDY_OPS_PASSWORD: 'p'.repeat(16),
};

describe('readConfiguration', () => {
  it('uses the defaults and returns a frozen configuration', () => {
    const configuration = readConfiguration(COMPLETE);
    expect(configuration.http).toEqual({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      trustedProxies: [],
      requestTimeoutMs: 120_000,
      maxConnections: 4_096,
      maxConnectionsPerAddress: 1_024,
    });
    expect(configuration.nats.publicUrl).toBe('nats://127.0.0.1:4222');
    expect(configuration.ops.user).toBe('ops');
    expect(configuration.generation.threads).toBeGreaterThanOrEqual(2);
    expect(Object.isFrozen(configuration) && Object.isFrozen(configuration.http)).toBe(true);
  });

  describe('the certificate of the API listener', () => {
    let folder: string;
    const file = (name: string) => join(folder, name);
    const read = (certFile: string, keyFile: string) =>
      readConfiguration({
        ...COMPLETE,
        UNDERSTUDY_TLS_CERT_FILE: certFile,
        UNDERSTUDY_TLS_KEY_FILE: keyFile,
      }).http;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'understudy-certificate-'));
      const authority = await TestAuthority.create();
      for (const name of ['a', 'b']) {
        const { cert, key } = await authority.issue(['api.test']);
        writeFileSync(file(`${name}.cert`), cert);
        writeFileSync(file(`${name}.key`), key);
      }
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('makes https the default of the public URL', () => {
      expect(read(file('a.cert'), file('a.key'))).toMatchObject({
        publicUrl: 'https://127.0.0.1:8080',
        certificate: { certFile: file('a.cert'), keyFile: file('a.key') },
      });
    });

    it.each([
      ['a.cert', '', 'must be set together'],
      ['', 'a.key', 'must be set together'],
      ['none', 'a.key', 'UNDERSTUDY_TLS_CERT_FILE must name a readable file: it cannot be read (ENOENT)'],
      ['a.cert', '.', 'UNDERSTUDY_TLS_KEY_FILE must name a readable file: it cannot be read (EISDIR)'],
      ['a.key', 'a.key', 'UNDERSTUDY_TLS_CERT_FILE must contain a certificate in PEM'],
      ['a.cert', 'a.cert', 'UNDERSTUDY_TLS_KEY_FILE must contain a private key in PEM'],
      ['a.cert', 'b.key', 'does not contain the key of the first certificate'],
    ])('is refused if the files are %j and %j, without their paths', (cert, key, problem) => {
      const refusal = () => read(cert && file(cert), key && file(key));
      expect(refusal).toThrow(problem);
      expect(refusal).not.toThrow(folder);
    });
  });

  describe('secrets in files', () => {
    let folder: string;
    beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'understudy-secrets-'))));
    afterAll(() => rmSync(folder, { recursive: true }));

    const WITH_KEY: Record<string, string> = { ...COMPLETE, UNDERSTUDY_SECRETS_KEY: 'k'.repeat(32) };
    const inFiles = (mode: number) =>
      Object.fromEntries(
        Object.entries(WITH_KEY).map(([name, value]) => {
          if (!SECRET_VARIABLES.some((secret) => secret === name)) return [name, value];
          writeFileSync(join(folder, name), `${value}\n`);
          chmodSync(join(folder, name), mode);
          return [`${name}_FILE`, join(folder, name)];
        }),
      );

    it('give the same configuration as the variables', () => {
      expect(readConfiguration(inFiles(0o640))).toEqual(readConfiguration(WITH_KEY));
    });

    it('are checked as the variables are, and each problem is reported once', () => {
      const read = () => readConfiguration({ ...inFiles(0o644), UNDERSTUDY_REDIS_URL: 'redis://127.0.0.1' });
      expect(read).toThrow(ConfigurationError);
      try {
        read();
      } catch (error) {
        const { message, problems } = error as ConfigurationError;
        expect(problems).toHaveLength(SECRET_VARIABLES.length);
        expect(message.match(/run chmod o-rwx on it/g)).toHaveLength(SECRET_VARIABLES.length - 1);
        expect(message).toContain('UNDERSTUDY_REDIS_URL and UNDERSTUDY_REDIS_URL_FILE are both set');
        expect(message).not.toMatch(/topsecret|understudy-secrets/);
      }
    });
  });

  it('changes only the given plan limits and refuses unknown ones', () => {
    const changes = { free: { sync_jobs: 7 }, team: { burst: 0 } };
    const read = (value: unknown) =>
      readConfiguration({ ...COMPLETE, UNDERSTUDY_PLAN_LIMITS: JSON.stringify(value) }).planLimits;
    expect(read(changes)).toEqual({
      ...DEFAULT_PLAN_LIMITS,
      free: { ...DEFAULT_PLAN_LIMITS.free, sync_jobs: 7 },
      team: { ...DEFAULT_PLAN_LIMITS.team, burst: 0 },
    });
    for (const wrong of [5, [], { gold: {} }, { free: { jobs: 1 } }, { free: { burst: -1 } }, { free: 1 }])
      expect(() => read(wrong)).toThrow('UNDERSTUDY_PLAN_LIMITS must be a JSON object');
  });

  it('reads the retry delays of webhooks, and uses the operator seed as the default secrets key', () => {
    const read = (more: Record<string, string>) => readConfiguration({ ...COMPLETE, ...more }).webhooks;
    expect(read({})).toMatchObject({
      retryDelaysMs: DEFAULTS.webhooks.retryDelaysMs,
      timeoutMs: 15_000,
      allowedNetworks: [],
      secretsKey: COMPLETE.UNDERSTUDY_NATS_OPERATOR_SEED,
    });
    expect(read({ UNDERSTUDY_WEBHOOK_RETRY_SECONDS: '0, 1,604800' }).retryDelaysMs).toEqual([
      0, 1_000, 604_800_000,
    ]);
    for (const wrong of ['x', '1,', '-1', '604801', '1.5', Array.from({ length: 101 }, () => '1').join(',')])
      expect(() => read({ UNDERSTUDY_WEBHOOK_RETRY_SECONDS: wrong })).toThrow(
        'UNDERSTUDY_WEBHOOK_RETRY_SECONDS',
      );
    const key = 'k'.repeat(32);
    expect(read({ UNDERSTUDY_SECRETS_KEY: key }).secretsKey).toBe(key);
    expect(() => read({ UNDERSTUDY_SECRETS_KEY: 'k'.repeat(31) })).toThrow('at least 32 characters');
  });

  describe('a service on another machine', () => {
    const read = (more: Record<string, string>) => () => readConfiguration({ ...COMPLETE, ...more });
    const database = (mode: string) => `postgresql://u:topsecret@db.example.com/understudy${mode}`;

    it.each([
      ['UNDERSTUDY_DATABASE_URL', database('?sslmode=disable'), 'postgresql'],
      ['UNDERSTUDY_DATABASE_URL', database('?sslmode=prefer'), 'postgresql'],
      ['UNDERSTUDY_REDIS_URL', 'redis://:topsecret@redis.example.com', 'redis'],
    ])('is reached in plaintext only if it is named: %s', (name, url, service) => {
      const refused = read({ [name]: url });
      expect(refused).toThrow(`${name} must`);
      expect(refused).toThrow(`only if UNDERSTUDY_ALLOW_PLAINTEXT names ${service}`);
      expect(refused).not.toThrow('topsecret');
      const other = service === 'redis' ? 'postgresql' : 'redis';
      expect(read({ [name]: url, UNDERSTUDY_ALLOW_PLAINTEXT: other })).toThrow(`${name} must`);
      expect(read({ [name]: url, UNDERSTUDY_ALLOW_PLAINTEXT: `${other}, ${service}` })).not.toThrow();
    });

    it.each([
      ['UNDERSTUDY_DATABASE_URL', database('')],
      ['UNDERSTUDY_DATABASE_URL', database('?sslmode=require')],
      ['UNDERSTUDY_REDIS_URL', 'rediss://:topsecret@redis.example.com'],
    ])('is accepted with TLS: %s', (name, url) => {
      expect(read({ [name]: url })).not.toThrow();
    });

    it('is refused if the list names another service', () => {
      expect(read({ UNDERSTUDY_ALLOW_PLAINTEXT: 'redis,nats' })).toThrow(
        'UNDERSTUDY_ALLOW_PLAINTEXT must be a list of postgresql, redis, separated by commas',
      );
    });
  });

  it('accepts only IP addresses and networks as trusted proxies', () => {
    const read = (list: string) =>
      readConfiguration({ ...COMPLETE, UNDERSTUDY_TRUSTED_PROXIES: list }).http.trustedProxies;
    expect(read('10.0.0.0/8, 2001:db8::/32,127.0.0.1')).toEqual(['10.0.0.0/8', '2001:db8::/32', '127.0.0.1']);
    for (const wrong of ['proxy.internal', '10.0.0.0/33', '10.0.0.0/8/8', 'true', '10.0.0.0/'])
      expect(() => read(wrong)).toThrow('UNDERSTUDY_TRUSTED_PROXIES must be IP addresses');
  });

  it('refuses an ops password of fewer than 16 characters', () => {
    const read = (password: string) => readConfiguration({ ...COMPLETE, UNDERSTUDY_OPS_PASSWORD: password });
    expect(read('x'.repeat(16)).ops).toMatchObject({ host: '127.0.0.1', port: 8081 });
    expect(() => read('x'.repeat(15))).toThrow('UNDERSTUDY_OPS_PASSWORD must have at least 16 characters');
  });

  it.each(['UNDERSTUDY_NATS_URL', 'UNDERSTUDY_NATS_PUBLIC_URL'])(
    'accepts a %s only if agents would connect to it',
    (name) => {
      const read = (url: string) => readConfiguration({ ...COMPLETE, [name]: url }).nats;
      for (const url of [
        'tls://nats.example.com:4222',
        'wss://nats.example.com/nats',
        'nats://127.0.0.1:4222',
        'nats://[::1]:4222',
      ])
        expect(Object.values(read(url))).toContain(url);
      for (const wrong of [
        'nats://nats.example.com:4222',
        'nats://10.0.0.1:4222',
        'nats://127.0.0.1.evil.example:4222',
        'ws://127.0.0.1:4222',
        'ws://nats.example.com',
        'tls://nats.example.com/path',
        'wss://user:topsecret@nats.example.com',
        'tls://user:topsecret@nats.example.com',
        'nats.example.com:4222',
      ]) {
        expect(() => read(wrong)).toThrow(`${name} must be a URL that starts with tls://`);
        expect(() => read(wrong)).not.toThrow('topsecret');
      }
    },
  );

  it('uses one replica of each stream by default and accepts one to five', () => {
    const read = (replicas: string) =>
      readConfiguration({ ...COMPLETE, UNDERSTUDY_NATS_STREAM_REPLICAS: replicas }).agentLink;
    expect(readConfiguration(COMPLETE).agentLink.streamReplicas).toBe(1);
    expect(read('3').streamReplicas).toBe(3);
    for (const wrong of ['0', '6', 'three'])
      expect(() => read(wrong)).toThrow('UNDERSTUDY_NATS_STREAM_REPLICAS must be an integer from 1 to 5');
  });

  it('refuses to keep the audit log for less than 30 days', () => {
    const read = (days: string) => readConfiguration({ ...COMPLETE, UNDERSTUDY_AUDIT_KEEP_DAYS: days });
    expect(readConfiguration(COMPLETE).retention).toMatchObject({ auditDays: 730, endedDays: 90 });
    expect(read('30').retention.auditDays).toBe(30);
    expect(() => read('29')).toThrow('UNDERSTUDY_AUDIT_KEEP_DAYS must be an integer from 30');
  });

  it('reports all problems together and never prints a value', () => {
    const read = () =>
      readConfiguration({
        ...COMPLETE,
        UNDERSTUDY_DATABASE_URL: 'mysql://u:topsecret@h/d',
        UNDERSTUDY_OPS_PASSWORD: '',
        UNDERSTUDY_PORT: '99999',
        UNDERSTUDY_GENERATION_THREADS: '0',
      });
    expect(read).toThrow(ConfigurationError);
    try {
      read();
    } catch (error) {
      const { message, problems } = error as ConfigurationError;
      expect(problems).toHaveLength(4);
      expect(message).toMatch(
        /UNDERSTUDY_DATABASE_URL[^]*UNDERSTUDY_PORT|UNDERSTUDY_PORT[^]*UNDERSTUDY_DATABASE_URL/,
      );
      expect(message).toContain('UNDERSTUDY_OPS_PASSWORD is not set');
      expect(message).not.toContain('topsecret');
    }
  });
});
