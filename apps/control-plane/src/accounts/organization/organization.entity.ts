import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

import type { Plan } from '../../platform/config/plans.js';

@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
