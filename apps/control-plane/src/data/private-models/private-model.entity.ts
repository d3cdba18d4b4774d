import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A model that an agent trained and stores. The control plane does not store its file. */
@Entity('private_models')
export class PrivateModelEntity {
  @PrimaryColumn('text', { name: 'organization_id' })
  organizationId: string;

  @PrimaryColumn('text')
  name: string;

  @Column('text')
  hash: string;

  @Column('text', { name: 'agent_id' })
  agentId: string;

  @Column('timestamptz', { name: 'trained_at' })
  trainedAt: Date;
}
