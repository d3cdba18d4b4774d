import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One version of a composition that an organisation registered. It never changes. */
@Entity('generators')
export class GeneratorEntity {
  @PrimaryColumn('text', { name: 'organization_id' })
  organizationId: string;

  /** `@<namespace>/<package>:<name>` */
  @PrimaryColumn('text')
  name: string;

  @PrimaryColumn('text')
  version: string;

  @Column('text')
  description: string;

  /** Kind of the generated values. */
  @Column('text')
  output: string;

  /** The registered definition as JSON text. `hash` is computed from exactly these bytes. */
  @Column('text', { name: 'definition_json' })
  definitionJson: string;

  /** SHA-256, in hex. */
  @Column('text')
  hash: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
