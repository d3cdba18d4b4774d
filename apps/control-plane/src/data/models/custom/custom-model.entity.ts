import { Column, Entity } from 'typeorm';

import { OwnedRow, safeInteger } from '../../../platform/persistence/database-values.js';
import type { ModelFacts } from '../../compute/models/model-facts.js';

/**
 * A model that an organisation uploaded. Its file is stored in parts in another table. The id is that of this upload:
 * an upload of the same name after a deletion has another id.
 */
@Entity('custom_models')
export class CustomModelEntity extends OwnedRow {
  /** The name in the API's id `custom/<name>`. */
  @Column('text')
  name: string;

  /**
   * The display name in the API. Null if an earlier version of the control plane stored the row; the display
   * name is then `name`.
   */
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

  /** Metadata of the file. Rows of earlier versions of the control plane have fewer fields. */
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
