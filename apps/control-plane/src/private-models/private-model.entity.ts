import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A model that an agent trained and keeps: here are its name and keyed hash, nothing else. */
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
