import { Column, Entity } from 'typeorm';

import { OwnedRow } from '../../platform/persistence/database-values.js';
import type { MockAuth, MockMethod } from './create-mock-endpoint.dto.js';

/** A mock endpoint. It is immutable. */
@Entity('mock_endpoints')
export class MockEndpointEntity extends OwnedRow {
  @Column('text')
  method: MockMethod;

  @Column('text')
  path: string;

  /**
   * The path without the names of its parameters. An organisation can have one endpoint for each method and
   * shape.
   */
  @Column('text')
  shape: string;

  @Column('text')
  auth: MockAuth;

  @Column('text', { name: 'schema_json' })
  schemaJson: string;

  /** A MockResponse as JSON. */
  @Column('text', { name: 'response_json' })
  responseJson: string;

  /** A UsedModel[] as JSON. */
  @Column('text', { name: 'models_json' })
  modelsJson: string;

  /** A UsedComposition[] as JSON. */
  @Column('text', { name: 'compositions_json' })
  compositionsJson: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
