import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { Configuration } from '../../../platform/config/configuration.js';
import { auditRequest } from '../../../platform/audit-log/insert-audit-entry.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../../platform/http/pipeline/caller-request.js';
import type { Caller } from '../../../platform/http/pipeline/caller.js';
import { onForeignKeyViolation, queryPrepared } from '../../../platform/persistence/statements.js';
import { CustomModelEntity } from './custom-model.entity.js';
import { readParts, writeParts } from './custom-model-parts.js';
import { COUNT_CUSTOM_MODELS, LIST_CUSTOM_MODELS } from './list-custom-models.sql.js';
import type { ModelFile } from '../../compute/task-lookups.js';
import { customModelId, customModelName, parseModelId } from '../model-id.js';
import { RecentlyUsed } from '../../compute/recently-used.js';

export type NewCustomModel = Omit<CustomModelEntity, 'id' | 'createdAt' | 'updatedAt' | 'byteLength'>;

/** The fields of a model in a list. */
export type ListedCustomModel = Omit<CustomModelEntity, 'id' | 'organizationId' | 'hash' | 'byteLength'>;

interface Counted {
  readonly total: number;
}

/** The limit on the total size of the model files in memory. Threads share these files. */
const FILES_BYTES = 128 * 1024 * 1024;

/**
 * Stores the models that organisations uploaded. Every query is restricted to one organisation; models of
 * others are not found.
 */
@Injectable()
export class CustomModelsService {
  private readonly files = new RecentlyUsed<Uint8Array<SharedArrayBuffer>>(FILES_BYTES);
  private readonly reading = new Map<string, Promise<Uint8Array<SharedArrayBuffer> | undefined>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {}

  /**
   * @throws ApiError `conflict` if the id is taken, `limit_exceeded` if the organisation has the maximum
   * number of models, `quota_exceeded` if the file exceeds the plan
   */
  insert(
    request: CallerRequest,
    model: NewCustomModel,
    file: Uint8Array,
    now = new Date(),
  ): Promise<CustomModelEntity> {
    const { maxPerOrganization } = this.configuration.models;
    return this.dataSource.transaction(async (manager) => {
      // The lock keeps other uploads of this organisation from adding a model between the count and the
      // insert.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('models ' || $1, 0))`, [
        model.organizationId,
      ]);
      const { organizationId, name } = model;
      if (await manager.existsBy(CustomModelEntity, { organizationId, name }))
        throw new ApiError(
          'conflict',
          'A model with this id exists already. Delete it first, or choose another `id`.',
        );
      if ((await manager.countBy(CustomModelEntity, { organizationId })) >= maxPerOrganization)
        throw new ApiError(
          'limit_exceeded',
          `An organisation can have at most ${maxPerOrganization} custom models. Delete one first.`,
        );
      await this.assertWithinPlan(manager, request.caller, file.length);
      const row = Object.assign(new CustomModelEntity(), model, {
        id: `mdl_${ulid()}`,
        byteLength: file.length,
        createdAt: now,
        updatedAt: now,
      });
      await manager.insert(CustomModelEntity, row);
      await writeParts(manager, row.id, file);
      const { locale, hash } = model;
      await auditRequest(manager, request, {
        now,
        action: 'model.uploaded',
        targetId: customModelId(name),
        details: { locale, hash, byte_length: file.length },
      });
      return row;
    });
  }

  private async assertWithinPlan(
    manager: EntityManager,
    { organizationId, plan }: Caller,
    bytes: number,
  ): Promise<void> {
    const limit = this.configuration.planLimits[plan].model_bytes;
    const used = (await manager.sum(CustomModelEntity, 'byteLength', { organizationId })) ?? 0;
    if (Number(used) + bytes <= limit) return;
    throw new ApiError(
      'quota_exceeded',
      `The plan "${plan}" includes ${limit} bytes of custom models. ${used} bytes are used, and the file has ${bytes}. Delete a model, or change the plan.`,
    );
  }

  find(organizationId: string, name: string): Promise<CustomModelEntity | null> {
    return this.dataSource.manager.findOneBy(CustomModelEntity, { organizationId, name });
  }

  /**
   * Returns a page of the models, newest first, and the total number of models. It takes one query, or two
   * for a page past the end.
   */
  async page(
    organizationId: string,
    locale: string | undefined,
    skip: number,
    take: number,
  ): Promise<[ListedCustomModel[], number]> {
    const where = [organizationId, locale ?? null];
    const rows = await queryPrepared<ListedCustomModel & Counted>(this.dataSource, LIST_CUSTOM_MODELS, [
      ...where,
      skip,
      take,
    ]);
    if (rows.length > 0 || skip === 0) return [rows, rows[0]?.total ?? 0];
    const [counted] = await this.dataSource.query<Counted[]>(COUNT_CUSTOM_MODELS, where);
    return [[], counted?.total ?? 0];
  }

  /**
   * @returns false if there is no such model
   * @throws ApiError `conflict` while a mock endpoint uses the model
   */
  delete(request: CallerRequest, name: string, now = new Date()): Promise<boolean> {
    const { organizationId } = request.caller;
    return this.dataSource.transaction(async (manager) => {
      const { affected } = await manager
        .delete(CustomModelEntity, { organizationId, name })
        .catch(onForeignKeyViolation(inUse));
      if (affected !== 1) return false;
      await auditRequest(manager, request, { now, action: 'model.deleted', targetId: customModelId(name) });
      return true;
    });
  }

  /**
   * @param id the id in the API
   * @returns undefined if the organisation has no custom model with this id
   */
  async file(organizationId: string, id: string): Promise<ModelFile | undefined> {
    const parsed = parseModelId(id);
    if (parsed?.kind !== 'custom') return undefined;
    const row = await this.find(organizationId, parsed.name);
    if (row === null) return undefined;
    const { hash, byteLength } = row;
    return { hash, byteLength, bytes: () => this.bytes(row) };
  }

  /**
   * @param hash SHA-256 in hex
   * @returns undefined if the organisation has no such file
   */
  async fileOfHash(organizationId: string, hash: string): Promise<Uint8Array<SharedArrayBuffer> | undefined> {
    const row = await this.dataSource.manager.findOneBy(CustomModelEntity, { organizationId, hash });
    return row === null ? undefined : this.bytes(row);
  }

  /**
   * Returns the row ids of models. A feature stores these ids to prevent the deletion of the models that it
   * uses.
   * @returns the row ids in any order
   * @throws ApiError `conflict` if the organisation has no model with the id and the hash of an element of
   * `used`
   */
  async rowIds(
    manager: EntityManager,
    organizationId: string,
    used: readonly { readonly id: string; readonly hash: string }[],
  ): Promise<string[]> {
    if (used.length === 0) return [];
    const where = used.map(({ id, hash }) => ({ organizationId, name: customModelName(id), hash }));
    const rows = await manager.find(CustomModelEntity, { select: { id: true }, where });
    if (rows.length !== used.length)
      throw new ApiError('conflict', 'A custom model of this definition has just changed. Try again.');
    return rows.map(({ id }) => id);
  }

  private bytes(row: CustomModelEntity): Promise<Uint8Array<SharedArrayBuffer> | undefined> {
    const known = this.files.get(row.hash);
    if (known) return Promise.resolve(known);
    const reading = this.reading.get(row.id) ?? this.read(row).finally(() => this.reading.delete(row.id));
    this.reading.set(row.id, reading);
    return reading;
  }

  private async read({ id, hash, byteLength }: CustomModelEntity) {
    const file = await readParts(this.dataSource.manager, id, byteLength);
    if (file) this.files.set(hash, file, byteLength);
    return file;
  }
}

function inUse(): ApiError {
  return new ApiError('conflict', 'A mock endpoint uses this model. Delete the endpoint first.');
}
