import type { Field, ObjectType, Operation, Type } from './api-model.js';
import { NamedTypes } from './named-types.js';
import { pascal, words } from './read-api.js';

/** The path of the Go module. It is also in clients/go/go.mod, and {@link goModuleHolds} compares them. */
export const GO_MODULE = 'github.com/understudy/understudy-go';

const INITIALISMS = new Set(['api', 'csv', 'http', 'id', 'json', 'sql', 'url']);

/** The exported Go name of some words: `agent_id` → `AgentID`. */
export const goName = (name: string): string =>
  words(name.replace(/[^A-Za-z0-9]+/g, '_'))
    .map((word) => (INITIALISMS.has(word) ? word.toUpperCase() : pascal(word)))
    .join('');

/** `client.Jobs` for `jobs.create`; empty for a method of the client itself. */
export const goService = ({ resource }: Operation): string => goName(resource.join('_'));

export const goMethod = ({ method }: Operation): string => goName(method.join('_'));

/** The type of the query parameters of an operation that has some. */
export const goParams = ({ id }: Operation): string => `${pascal(id)}Params`;

/**
 * Go has no unions, so a union is the type with the fields of all its members. These unions replace the type of
 * their main member.
 */
const MERGED_NAMES: Readonly<Record<string, string>> = {
  GetModelResult: 'Model',
  ListModelsResultModel: 'ListedModel',
};

/** The types that have the values of a field of another type. */
const ENUM_OWNERS: Readonly<Record<string, string>> = {
  AcceptedRestore: 'Restore',
  CancelledSyncJob: 'SyncJob',
  CreateMockEndpoint: 'MockEndpoint',
  DeleteSyncJobResult: 'SyncJob',
  ListModels: 'Model',
  ListModelsResultModel: 'Model',
  GetModelResult: 'Model',
  ListSyncJobs: 'SyncJob',
  ListWebhookDeliveries: 'WebhookDelivery',
  ListAuditEntries: 'AuditEntry',
  ListedMockEndpoint: 'MockEndpoint',
  ListedModel: 'Model',
  ListedSnapshot: 'Snapshot',
  ListedSyncJob: 'SyncJob',
  ListedSyncJobProgressBuildItem: 'Build',
  NewEnrolmentToken: 'EnrolmentToken',
  InvitedMember: 'Member',
  JoinedMember: 'Member',
  RevokedAgent: 'Agent',
  SyncJobProgress: 'Job',
  SyncJobProgressBuildItem: 'Build',
  SyncJobPhase: 'Job',
  SyncJobReplacedLastRevert: 'Revert',
  UploadedModel: 'Model',
  WebhookWithSecret: 'Webhook',
};

/** Fields whose values have the same type wherever they occur. */
const ENUM_FIELDS: Readonly<Record<string, string>> = {
  events: 'WebhookEventName',
  plan: 'Plan',
  role: 'Role',
  scopes: 'Scope',
  unlisted_columns: 'UnlistedColumns',
};

/** A string type with constants for the values that the API document knows. */
export interface GoEnum {
  readonly name: string;
  readonly values: readonly string[];
}

const POINTED: ReadonlySet<Type['kind']> = new Set(['integer', 'number', 'boolean', 'object']);

/** The Go types of the API. */
export class GoTypes extends NamedTypes {
  readonly #enums = new Map<string, string[]>();

  enums(): GoEnum[] {
    return [...this.#enums].map(([name, values]) => ({ name, values }));
  }

  name(type: string): string {
    return MERGED_NAMES[type] ?? type;
  }

  /** The field as it is in the main member, if the type is a union and the member has the field. */
  inMainMember(union: ObjectType, field: Field): Field {
    const main = this.types.get(MERGED_NAMES[union.name] ?? '');
    return main?.fields.find(({ name }) => name === field.name) ?? field;
  }

  /**
   * The type of a field. An optional number, flag or object is a pointer. Another optional value of a response
   * keeps a null, so that the response is encoded as it was received.
   * @param owner the name of the type that contains the field
   * @param isSent whether the field is in a request
   */
  ofField(owner: string, { name, type, required }: Field, isSent: boolean): string {
    const text = this.of(type, owner, name);
    if (required) return text;
    if (type.kind === 'any') return isSent ? text : 'json.RawMessage';
    return POINTED.has(type.kind) ? `*${text}` : text;
  }

  of(type: Type, owner = '', field = ''): string {
    switch (type.kind) {
      case 'string':
        return type.values ? this.#enum(owner, field, type.values) : 'string';
      case 'integer':
        return 'int64';
      case 'number':
        return 'float64';
      case 'boolean':
        return 'bool';
      case 'list':
        return `[]${this.of(type.of, owner, field)}`;
      case 'map':
        return `map[string]${this.of(type.of, owner, field)}`;
      case 'nullable': {
        const text = this.of(type.of, owner, field);
        return /^(\[|map|any)/.test(text) ? text : `*${text}`;
      }
      case 'object':
        return this.name(type.name);
      case 'union':
        return type.merged === undefined ? 'any' : this.name(type.merged);
      case 'file':
        return '[]byte';
      case 'any':
        return 'any';
    }
  }

  /** Values of types with the same name are joined, because such a type accepts any other text, too. */
  #enum(owner: string, field: string, values: readonly string[]): string {
    const entity = owner.replace(/Request$|Params$/, '');
    const name = ENUM_FIELDS[field] ?? `${ENUM_OWNERS[entity] ?? this.name(entity)}${goName(field)}`;
    this.#enums.set(name, [...new Set([...(this.#enums.get(name) ?? []), ...values])]);
    return name;
  }
}
