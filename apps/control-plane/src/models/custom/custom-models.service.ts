import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { ulid } from 'ulid';

import { Configuration } from '../../config/configuration.js';
import { auditRequest } from '../../audit-log/insert-audit-entry.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { CallerRequest } from '../../http/pipeline/caller-request.js';
import type { Caller } from '../../http/pipeline/caller.js';
import { onForeignKeyViolation, queryPrepared } from '../../persistence/statements.js';
import { CustomModelEntity } from './custom-model.entity.js';
import { readParts, writeParts } from './custom-model-parts.js';
import { COUNT_CUSTOM_MODELS, LIST_CUSTOM_MODELS } from './list-custom-models.sql.js';
import type { ModelFile } from '../../compute/task-lookups.js';
import { customModelId, customModelName, parseModelId } from '../model-id.js';
import { RecentlyUsed } from '../../compute/recently-used.js';

export type NewCustomModel = Omit<CustomModelEntity, 'id' | 'createdAt' | 'updatedAt' | 'byteLength'>;

/** What the list says of a model. */
export type ListedCustomModel = Omit<CustomModelEntity, 'id' | 'organizationId' | 'hash' | 'byteLength'>;

interface Counted {
  readonly total: number;
}

/** Files that are kept in memory; threads share them. */
const FILES_BYTES = 128 * 1024 * 1024;

/** Models that organisations uploaded. Every query names the organisation: another one's model does not exist. */
@Injectable()
export class CustomModelsService {
  private readonly files = new RecentlyUsed<Uint8Array<SharedArrayBuffer>>(FILES_BYTES);
  private readonly reading = new Map<string, Promise<Uint8Array<SharedArrayBuffer> | undefined>>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly configuration: Configuration,
  ) {}

  /**
   * @throws ApiError `conflict` for an id that is taken, `limit_exceeded` when the organisation has as many as it may,
   * `quota_exceeded` when the file does not fit into the plan
   */
  insert(
    request: CallerRequest,
    model: NewCustomModel,
    file: Uint8Array,
    now = new Date(),
  ): Promise<CustomModelEntity> {
    const { maxPerOrganization } = this.configuration.models;
    return this.dataSource.transaction(async (manager) => {
      // Models are counted, then one is added: no other upload of this organisation in between.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('models ' || $1, 0))`, [
        model.organizationId,
      ]);
      const { organizationId, name } = model;
      if (await manager.existsBy(CustomModelEntity, { organizationId, name }))
        throw new ApiError(
          'conflict',
          'There is a model of this id already. Delete it first, or give another `id`.',
        );
      if ((await manager.countBy(CustomModelEntity, { organizationId })) >= maxPerOrganization)
        throw new ApiError(
          'limit_exceeded',
          `An organisation has at most ${maxPerOrganization} custom models.`,
        );
      await this.assertRoom(manager, request.caller, file.length);
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

  private async assertRoom(
    manager: EntityManager,
    { organizationId, plan }: Caller,
    bytes: number,
  ): Promise<void> {
    const limit = this.configuration.planLimits[plan].model_bytes;
    const used = (await manager.sum(CustomModelEntity, 'byteLength', { organizationId })) ?? 0;
    if (Number(used) + bytes <= limit) return;
    throw new ApiError(
      'quota_exceeded',
      `The plan "${plan}" includes ${limit} bytes of custom models; ${used} are used, and the file has ${bytes}. Delete one, or change the plan.`,
    );
  }

  find(organizationId: string, name: string): Promise<CustomModelEntity | null> {
    return this.dataSource.manager.findOneBy(CustomModelEntity, { organizationId, name });
  }

  /** Newest first. @returns also how many there are in all. One query, but for a page past the end */
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

  /** @returns false when there is no such model. @throws ApiError `conflict` while a mock endpoint draws from it */
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

  /** @param id as the API writes it; anything but a custom model's id finds nothing */
  async file(organizationId: string, id: string): Promise<ModelFile | undefined> {
    const parsed = parseModelId(id);
    if (parsed?.kind !== 'custom') return undefined;
    const row = await this.find(organizationId, parsed.name);
    if (row === null) return undefined;
    const { hash, byteLength } = row;
    return { hash, byteLength, bytes: () => this.bytes(row) };
  }

  /** @param hash SHA-256 in hex. @returns undefined when the organisation has no such file (any more) */
  async fileOfHash(organizationId: string, hash: string): Promise<Uint8Array<SharedArrayBuffer> | undefined> {
    const row = await this.dataSource.manager.findOneBy(CustomModelEntity, { organizationId, hash });
    return row === null ? undefined : this.bytes(row);
  }

  /**
   * For whoever keeps models from being deleted while it uses them.
   * @returns ids of their rows, in any order
   * @throws ApiError `conflict` when one was deleted or replaced since it was used
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
      throw new ApiError('conflict', 'A custom model that is used has changed meanwhile. Try again.');
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
  return new ApiError('conflict', 'A mock endpoint draws from this model. Delete the endpoint first.');
}
