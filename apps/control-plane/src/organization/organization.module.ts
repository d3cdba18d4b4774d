import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { OrganizationEntity } from './organization.entity.js';

@Module({ imports: [TypeOrmModule.forFeature([OrganizationEntity])] })
export class OrganizationModule {}
