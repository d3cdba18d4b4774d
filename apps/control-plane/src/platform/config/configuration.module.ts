import { Logger, Module, type DynamicModule } from '@nestjs/common';
import { Outbound } from '@understudy/outbound';

import { Configuration } from './configuration.js';

@Module({})
export class ConfigurationModule {
  static for(configuration: Configuration): DynamicModule {
    return {
      module: ConfigurationModule,
      global: true,
      providers: [
        { provide: Configuration, useValue: configuration },
        { provide: Outbound, useValue: outbound(configuration) },
      ],
      exports: [Configuration, Outbound],
    };
  }
}

function outbound(configuration: Configuration): Outbound {
  const logger = new Logger(Outbound.name);
  return new Outbound(configuration.outbound, (problem) => logger.warn(problem));
}
