import { Injectable } from '@nestjs/common';

import { ModelInspection } from './model-inspection.js';
import { ApiError, noSuch, validationError } from '../../platform/http/errors/api-error.js';
import type { CallerRequest } from '../../platform/http/pipeline/caller-request.js';
import { pageOf, type Paged } from '../../platform/http/dto/page.dto.js';
import { PrivateModelsService } from '../private-models/private-models.service.js';
import { CustomModelsService } from './custom/custom-models.service.js';
import type { BuiltinModelDescription } from '../compute/models/describe-builtin-models.js';
import type { DownloadedModel } from './custom/send-model-file.js';
import type { ListModelsQuery, ModelKind } from './list-models.query.js';
import { customModelName, idNameOf, parseModelId } from './model-id.js';
import {
  ofBuiltin,
  ofCustom,
  toListedModelResponse,
  toListedPrivateModel,
  toModelResponse,
  toUploadedModelResponse,
  type ListedModelResponse,
  type ListedPrivateModelResponse,
  type Model,
  type ModelResponse,
  type UploadedModelResponse,
} from './model-response.js';
import type { UploadModelDto } from './custom/upload-model.dto.js';

export type ModelPage = Paged<'models', ListedModelResponse | ListedPrivateModelResponse>;

/** Manages all models that an organisation can use: built-in models, its own, and those of its agents. */
@Injectable()
export class ModelsService {
  constructor(
    private readonly custom: CustomModelsService,
    private readonly privateModels: PrivateModelsService,
    private readonly inspection: ModelInspection,
  ) {}

  /** Lists the custom models first, newest first, and then the built-in models in the order of their ids. */
  async list(organizationId: string, query: ListModelsQuery): Promise<ModelPage> {
    if (query.type === 'private') return this.listPrivate(organizationId, query);
    const { page, perPage } = pageOf(query);
    const [models, total] = await this.listOthers(organizationId, query, (page - 1) * perPage, perPage);
    return { models, total, page, per_page: perPage };
  }

  /** @throws ApiError `not_found` */
  async get(organizationId: string, id: string): Promise<ModelResponse | ListedPrivateModelResponse> {
    const isPrivate = parseModelId(id)?.kind === 'private';
    const trained = isPrivate ? await this.privateModels.find(organizationId, id) : undefined;
    if (trained) return toListedPrivateModel(trained);
    const model = await this.find(organizationId, id);
    if (!model) throw noSuch('model');
    return toModelResponse(model);
  }

  /**
   * Returns the file of a custom model exactly as it was uploaded.
   * @throws ApiError `not_found`
   */
  async file(organizationId: string, id: string): Promise<DownloadedModel> {
    const parsed = parseModelId(id);
    if (parsed?.kind !== 'custom') throw new ApiError('not_found', NO_FILE);
    const file = await this.custom.file(organizationId, id);
    if (file === undefined) throw noSuch('model');
    return { ...file, fileName: `${parsed.name}.ngram` };
  }

  /**
   * @throws ApiError `validation_error` on `file` for an invalid or refused file, or on `id` if the form has
   * no id and the slug of its name is empty; `conflict` if the id is taken
   */
  async upload(
    request: CallerRequest,
    { file, name: displayName, id, description }: UploadModelDto,
  ): Promise<UploadedModelResponse> {
    const { organizationId } = request.caller;
    const name = id === undefined ? idNameOf(displayName) : customModelName(id);
    if (name === undefined) throw validationError([{ field: 'id', message: ID_NEEDED }]);
    const checked = await this.inspection.check(organizationId, file.bytes);
    if ('refusal' in checked) throw validationError([{ field: 'file', message: checked.refusal }]);
    const row = {
      ...checked.model,
      organizationId,
      name,
      displayName,
      description: description ?? null,
    };
    return toUploadedModelResponse(ofCustom(await this.custom.insert(request, row, file.bytes)));
  }

  /** @throws ApiError `forbidden` for a built-in model, `not_found` for an unknown one */
  async delete(request: CallerRequest, id: string): Promise<{ deleted: true; id: string }> {
    const { organizationId } = request.caller;
    const parsed = parseModelId(id);
    if (parsed?.kind === 'builtin' && (await this.find(organizationId, id)))
      throw new ApiError('forbidden', 'A built-in model cannot be deleted.');
    const deleted =
      (parsed?.kind === 'custom' && (await this.custom.delete(request, parsed.name))) ||
      (parsed?.kind === 'private' && (await this.privateModels.delete(request, id)));
    if (!deleted) throw noSuch('model');
    return { deleted, id };
  }

  private async find(organizationId: string, id: string): Promise<Model | undefined> {
    const parsed = parseModelId(id);
    if (parsed?.kind === 'builtin') {
      const builtin = await this.inspection.builtinModels(organizationId);
      const found = builtin.find((model) => model.id === id);
      return found && ofBuiltin(found);
    }
    const row = parsed?.kind === 'custom' ? await this.custom.find(organizationId, parsed.name) : null;
    return row ? ofCustom(row) : undefined;
  }

  private async listPrivate(organizationId: string, query: ListModelsQuery): Promise<ModelPage> {
    if (query.locale !== undefined)
      throw validationError([
        { field: 'locale', message: 'private models have no locale; omit this parameter' },
      ]);
    const { page, perPage } = pageOf(query);
    if (!mayBeTrained(query.kind)) return { models: [], total: 0, page, per_page: perPage };
    const listed = await this.privateModels.list(organizationId, query);
    return { ...listed, models: listed.models.map(toListedPrivateModel) };
  }

  private async listOthers(
    organizationId: string,
    { type, locale, kind }: ListModelsQuery,
    skip: number,
    take: number,
  ): Promise<[ListedModelResponse[], number]> {
    const [rows, customTotal] =
      type === 'builtin' || !mayBeTrained(kind)
        ? [[], 0]
        : await this.custom.page(organizationId, locale, skip, take);
    const builtin = type === 'custom' ? [] : await this.inspection.builtinModels(organizationId);
    const matching = builtin.filter(
      (model) =>
        (locale === undefined || model.locale === locale) && (kind === undefined || model.kind === kind),
    );
    const from = Math.max(0, skip - customTotal);
    const shown = matching.slice(from, from + take - rows.length);
    return [
      [...rows.map((row) => toListedModelResponse(ofCustom(row))), ...shown.map(toListed)],
      customTotal + matching.length,
    ];
  }
}

const ID_NEEDED =
  'is required, because the name contains no letter or digit; expected an id like custom/street-names';

const NO_FILE =
  'Expected the id of a custom model, like custom/street-names. Other models have no file to download.';

/** The responses of built-in models, which never change. */
const listed = new WeakMap<BuiltinModelDescription, ListedModelResponse>();

function toListed(model: BuiltinModelDescription): ListedModelResponse {
  const known = listed.get(model) ?? toListedModelResponse(ofBuiltin(model));
  listed.set(model, known);
  return known;
}

/** Returns whether uploaded and trained models can be of this kind. All of them are n-gram models. */
function mayBeTrained(kind: ModelKind | undefined): boolean {
  return kind === undefined || kind === 'ngram';
}
