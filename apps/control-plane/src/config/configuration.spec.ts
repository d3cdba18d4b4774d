import { ConfigurationError, readConfiguration } from './configuration.js';

const COMPLETE = {
  UNDERSTUDY_DATABASE_URL: 'postgresql://u:topsecret@127.0.0.1:5432/understudy',
  UNDERSTUDY_REDIS_URL: 'redis://127.0.0.1:6379',
  UNDERSTUDY_NATS_URL: 'nats://127.0.0.1:4222',
  UNDERSTUDY_NATS_OPERATOR_SEED: `SO${'A'.repeat(56)}`,
  UNDERSTUDY_NATS_ACCOUNT_SEED: `SA${'A'.repeat(56)}`,
  UNDERSTUDY_NATS_AGENT_ACCOUNT_SEED: `SA${'C'.repeat(56)}`,
  UNDERSTUDY_NATS_SYSTEM_ACCOUNT_SEED: `SA${'B'.repeat(56)}`,
  UNDERSTUDY_OPS_PASSWORD: 'pw',
};

describe('configuration', () => {
  it('fills in what has a default, and is frozen', () => {
    const configuration = readConfiguration(COMPLETE);
    expect(configuration.http).toEqual({ host: '127.0.0.1', port: 8080, publicUrl: 'http://127.0.0.1:8080' });
    expect(configuration.nats.publicUrl).toBe('nats://127.0.0.1:4222');
    expect(configuration.ops.user).toBe('ops');
    expect(Object.isFrozen(configuration) && Object.isFrozen(configuration.http)).toBe(true);
  });

  it('reports all problems together and never a value', () => {
    const read = () =>
      readConfiguration({
        ...COMPLETE,
        UNDERSTUDY_DATABASE_URL: 'mysql://u:topsecret@h/d',
        UNDERSTUDY_OPS_PASSWORD: '',
        UNDERSTUDY_PORT: '99999',
      });
    expect(read).toThrow(ConfigurationError);
    try {
      read();
    } catch (error) {
      const { message, problems } = error as ConfigurationError;
      expect(problems).toHaveLength(3);
      expect(message).toMatch(
        /UNDERSTUDY_DATABASE_URL[^]*UNDERSTUDY_PORT|UNDERSTUDY_PORT[^]*UNDERSTUDY_DATABASE_URL/,
      );
      expect(message).toContain('UNDERSTUDY_OPS_PASSWORD is not set');
      expect(message).not.toContain('topsecret');
    }
  });
});
