import { Module, type DynamicModule } from '@nestjs/common';

import { Configuration } from './configuration.js';

@Module({})
export class ConfigurationModule {
  static for(configuration: Configuration): DynamicModule {
    return {
      module: ConfigurationModule,
      global: true,
      providers: [{ provide: Configuration, useValue: configuration }],
      exports: [Configuration],
    };
  }
}
