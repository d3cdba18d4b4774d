import { Injectable } from '@nestjs/common';
import { writeExactJson } from '@understudy/expression';
import { createHash } from 'node:crypto';
import { DataSource, Like } from 'typeorm';

import { auditRequest } from '../../platform/audit-log/insert-audit-entry.js';
import { ComputePool } from '../compute/compute-pool.js';
import { Configuration } from '../../platform/config/configuration.js';
import { ApiError, noSuch, validationError } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import type { Deleted } from '../../platform/http/operations/schemas.js';
import type { Paged } from '../../platform/http/dto/page.dto.js';
import { findPage } from '../../platform/persistence/find-page.js';
import { generatorId, parseGeneratorId } from './generator-id.js';
import {
  toGeneratorResponse,
  toListedGenerator,
  type GeneratorResponse,
  type ListedGeneratorResponse,
} from './generator-response.js';
import { GeneratorEntity } from './generator.entity.js';
import type { ListGeneratorsQuery } from './list-generators.query.js';
import { OrganizationLibrary } from './organization-library.js';
import type { RegisterGeneratorDto } from './register-generator.dto.js';
import { RegisteredCompositions } from './registered-compositions.service.js';

/**
 * Namespace of the compositions that ship with the product. The engine refuses the other reserved namespace,
 * `@svc/`.
 */
const SHIPPED = '@models/';

/** Registers, lists and deletes compositions. Callers can access only compositions of their own organisation. */
@Injectable()
export class GeneratorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly compositions: RegisteredCompositions,
    private readonly compute: ComputePool,
    private readonly library: OrganizationLibrary,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Checks a composition and stores it as a new version.
   * @throws ApiError `validation_error` with all problems of the composition, `conflict` if the version
   *   already exists, `limit_exceeded` if the composition is too large or the organisation has too many
   *   compositions
   */
  async register(
    request: CallerRequest,
    dto: RegisterGeneratorDto,
    now = new Date(),
  ): Promise<GeneratorResponse> {
    const { organizationId } = request.caller;
    const { name } = dto;
    if (name.startsWith(SHIPPED)) {
      const message = `the namespace ${SHIPPED} is reserved`;
      throw validationError([{ field: 'name', message }]);
    }
    const definitionJson = writeExactJson(dto);
    const { maxBytes } = this.configuration.generators;
    if (Buffer.byteLength(definitionJson) > maxBytes)
      throw new ApiError('limit_exceeded', `A composition has at most ${maxBytes} bytes of JSON.`);
    const facts = await this.compute.run(
      'check-composition',
      { composition: dto, nowMs: Date.now() },
      { organizationId, lookups: this.library.of(organizationId) },
    );
    const hash = createHash('sha256').update(definitionJson).digest('hex');
    const row = { organizationId, name, ...facts, definitionJson, hash, createdAt: now };
    await this.insert(request, row);
    return toGeneratorResponse(row, await this.compositions.versions(organizationId, name));
  }

  /** Returns a page with one item for each version, the newest first. */
  async list(
    organizationId: string,
    query: ListGeneratorsQuery,
  ): Promise<Paged<'generators', ListedGeneratorResponse>> {
    const { name, namespace } = query;
    const { rows, ...page } = await findPage(this.dataSource.manager, GeneratorEntity, query, {
      select: { name: true, version: true, description: true, output: true, createdAt: true },
      where: {
        organizationId,
        ...(name === undefined ? {} : { name }),
        ...(namespace === undefined || name !== undefined ? {} : { name: Like(`@${namespace}/%`) }),
      },
      order: { createdAt: 'DESC', name: 'ASC', version: 'ASC' },
    });
    return { generators: rows.map(toListedGenerator), ...page };
  }

  /** @param id `name@version`, or a name, which selects the highest version. @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<GeneratorResponse> {
    const parsed = parseGeneratorId(id);
    if (parsed === undefined) throw noSuch('generator');
    const { name } = parsed;
    const versions = await this.compositions.versions(organizationId, name);
    const version = parsed.version ?? versions[0];
    if (version === undefined) throw noSuch('generator');
    const where = { organizationId, name, version };
    const found = await this.dataSource.manager.findOneBy(GeneratorEntity, where);
    if (found === null) throw noSuch('generator');
    return toGeneratorResponse(found, versions);
  }

  /**
   * Deletes a composition. Jobs that use it keep their copy.
   * @param id `name@version`, or a name to delete all versions
   * @throws ApiError `not_found`
   */
  async delete(request: CallerRequest, id: string, now = new Date()): Promise<Deleted> {
    const { organizationId } = request.caller;
    const parsed = parseGeneratorId(id);
    if (parsed === undefined) throw noSuch('generator');
    const { name, version } = parsed;
    const where = { organizationId, name, ...(version === undefined ? {} : { version }) };
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.delete(GeneratorEntity, where);
      if (!affected) throw noSuch('generator');
      const details = { versions: affected };
      await auditRequest(manager, request, { now, action: 'generator.deleted', targetId: id, details });
    });
    return { deleted: true, id };
  }

  private async insert(request: CallerRequest, row: GeneratorEntity): Promise<void> {
    const { organizationId, name, version, hash } = row;
    const { maxPerOrganization } = this.configuration.generators;
    await this.dataSource.transaction(async (manager) => {
      // The lock keeps other registrations of this organisation from inserting a composition between the
      // count and the insert.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('generators ' || $1, 0))`, [
        organizationId,
      ]);
      if (await manager.existsBy(GeneratorEntity, { organizationId, name, version })) {
        const message = 'This version of the generator already exists. Register a new version.';
        throw new ApiError('conflict', message);
      }
      if ((await manager.countBy(GeneratorEntity, { organizationId })) >= maxPerOrganization) {
        const message = `An organisation has at most ${maxPerOrganization} generators, all versions counted.`;
        throw new ApiError('limit_exceeded', message);
      }
      await manager.insert(GeneratorEntity, row);
      await auditRequest(manager, request, {
        now: row.createdAt,
        action: 'generator.registered',
        targetId: generatorId(name, version),
        details: { hash },
      });
    });
  }
}
