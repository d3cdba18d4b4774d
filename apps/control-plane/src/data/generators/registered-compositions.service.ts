import { Injectable } from '@nestjs/common';
import { compareBuild } from 'semver';
import { DataSource } from 'typeorm';

import { generatorId, parseGeneratorId } from './generator-id.js';
import { GeneratorEntity } from './generator.entity.js';
import type { StoredComposition } from '../compute/task-lookups.js';

/** Finds registered compositions for features that compile definitions. Every query is limited to one organisation. */
@Injectable()
export class RegisteredCompositions {
  constructor(private readonly dataSource: DataSource) {}

  /** @param use `name@version`, or a name without a version, which selects the highest version */
  async find(organizationId: string, use: string): Promise<StoredComposition | undefined> {
    const id = parseGeneratorId(use);
    if (id === undefined) return undefined;
    const { name } = id;
    const version = id.version ?? (await this.versions(organizationId, name))[0];
    if (version === undefined) return undefined;
    const where = { organizationId, name, version };
    const found = await this.dataSource.manager.findOneBy(GeneratorEntity, where);
    if (found === null) return undefined;
    const { definitionJson, hash } = found;
    return { id: generatorId(name, version), definitionJson, hash };
  }

  async names(organizationId: string): Promise<readonly string[]> {
    const found = await this.dataSource.manager
      .createQueryBuilder(GeneratorEntity, 'generator')
      .select('DISTINCT generator.name', 'name')
      .where({ organizationId })
      .getRawMany<{ name: string }>();
    return found.map(({ name }) => name);
  }

  /**
   * Returns all versions of a composition, the highest first. Returns an empty list if the composition does
   * not exist.
   */
  async versions(organizationId: string, name: string): Promise<string[]> {
    const wanted = { select: { version: true }, where: { organizationId, name } };
    const found = await this.dataSource.manager.find(GeneratorEntity, wanted);
    return found.map(({ version }) => version).sort((a, b) => compareBuild(b, a));
  }
}
