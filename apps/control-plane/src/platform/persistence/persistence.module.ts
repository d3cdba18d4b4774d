import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Configuration } from '../config/configuration.js';
import { dataSourceOptions } from './data-source.js';

/** The connection to PostgreSQL. Features add their entities with `TypeOrmModule.forFeature`. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Configuration],
      useFactory: (configuration: Configuration) => ({
        ...dataSourceOptions(configuration.database),
        autoLoadEntities: true,
        retryAttempts: 3,
        retryDelay: 1_000,
      }),
    }),
  ],
})
export class PersistenceModule {}
