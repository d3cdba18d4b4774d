import type { SharedTestServices } from '@understudy/testing';

import { Configuration, type ConfigurationValues } from '../../../src/platform/config/configuration.js';

/** Returns the configuration that the agent link reads, for the services of a test. */
export function testConfiguration(
  services: SharedTestServices,
  databaseUrl = '',
  changes: Partial<ConfigurationValues> = {},
): Configuration {
  return new Configuration({
    http: { host: '127.0.0.1', port: 0, publicUrl: 'http://127.0.0.1' },
    database: { url: databaseUrl },
    redis: { url: services.redisUrl },
    nats: {
      url: services.natsUrl,
      publicUrl: services.natsUrl,
      operatorSeed: services.natsSeeds.operator,
      accountSeed: services.natsSeeds.account,
      agentAccountSeed: services.natsSeeds.agentAccount,
      systemAccountSeed: services.natsSeeds.systemAccount,
    },
    ops: { user: 'ops', password: 'unused', port: 0 },
    logLevel: 'silent',
    ...changes,
  });
}
