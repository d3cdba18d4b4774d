import { Column, Entity, PrimaryColumn } from 'typeorm';

import { safeInteger } from '../../persistence/database-values.js';
import type { ModelFacts } from '../../compute/models/describe-model.js';

/** A model that an organisation uploaded; its file lies in parts beside it. */
@Entity('custom_models')
export class CustomModelEntity {
  /** Of this upload: the same name uploaded again after a deletion is another one. */
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'organization_id' })
  organizationId: string;

  /** The API's id is `custom/<name>`. */
  @Column('text')
  name: string;

  /** The API's name; null of uploads of earlier versions, where both are the same. */
  @Column('text', { name: 'display_name', nullable: true })
  displayName: string | null;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  locale: string;

  @Column('integer', { name: 'ngram_order' })
  ngramOrder: number;

  @Column('text', { name: 'token_type' })
  tokenType: 'char' | 'word';

  @Column('bigint', { name: 'token_count', transformer: safeInteger })
  tokenCount: number;

  @Column('bigint', { name: 'ngram_count', transformer: safeInteger })
  ngramCount: number;

  /** Rows of earlier versions have fewer of them. */
  @Column('jsonb')
  facts: Partial<ModelFacts>;

  /** SHA-256 of the file, in hex. */
  @Column('text')
  hash: string;

  @Column('integer', { name: 'byte_length' })
  byteLength: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
