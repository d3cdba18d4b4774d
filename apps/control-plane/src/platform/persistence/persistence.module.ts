import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { getMetadataArgsStorage } from 'typeorm';

import { Configuration } from '../config/configuration.js';
import { dataSourceOptions } from './data-source.js';

/** The connection to PostgreSQL. Its entities are all classes with `@Entity` that the application has loaded. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Configuration],
      useFactory: (configuration: Configuration) => ({
        ...dataSourceOptions(configuration.database),
        entities: getMetadataArgsStorage().tables.map(({ target }) => target),
        retryAttempts: 3,
        retryDelay: 1_000,
      }),
    }),
  ],
})
export class PersistenceModule {}
