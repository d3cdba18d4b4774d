import type { BuiltinModel } from '@understudy/builtin-models';
import type { ParamsManifest, Problem } from '@understudy/generator';
import type { RecordFormat } from '@understudy/records';
import type { FieldProblem } from '@understudy/sync-job';

import type { CheckedComposition, CompositionRequest } from '../checks/check-composition.js';
import type { Distribution, DistributionRequest } from '../checks/read-distribution.js';
import type { WrittenRules } from '../checks/check-rules.js';
import type { SampledRule, SampleRuleRequest } from '../checks/sample-rule.js';
import type { ReadJobFile } from '../checks/read-job-file.js';
import type { ValueTable } from './schema-steps.js';

/** The first message to the worker. */
export interface StartMessage {
  readonly kind: 'start';
  /** The absolute URL below which the control plane serves the built-in models. It ends with a slash. */
  readonly models: string;
}

/** `table` gives the JSON text of each value. The other formats are those of `POST /generate`. */
export type OutputFormat = 'table' | RecordFormat;

/** Asks for the records of a schema. The records depend only on these fields. */
export interface RecordsRequest {
  readonly kind: 'records';
  /** The schema as JSON text, as a user wrote it. */
  readonly schema: string;
  readonly seed: number;
  /** Number of records, at least 1. */
  readonly count: number;
  /** The time to which relative dates refer. */
  readonly nowMs: number;
  readonly format: OutputFormat;
}

/** Asks for everything that a schema may name. */
export interface CatalogRequest {
  readonly kind: 'catalog';
}

/** Asks for the problems of column rules. */
export interface RulesRequest {
  readonly kind: 'rules';
  readonly tables: readonly WrittenRules[];
  /** The time to which relative dates refer. */
  readonly nowMs: number;
}

/** Asks for the content of a job file. A large one takes long to parse. */
export interface JobFileRequest {
  readonly kind: 'job-file';
  readonly text: string;
}

/** Records in the requested format. */
export type Output =
  | ValueTable
  /** The bytes of the API's response. For `json`, only the array of records. */
  | { readonly kind: 'text'; readonly text: string };

export type RecordsResponse =
  | {
      readonly kind: 'records';
      readonly output: Output;
      /** Settings that have no effect, and problems that more records may have. Paths are relative to the schema. */
      readonly warnings: readonly Problem[];
    }
  /** The engine refuses the schema, or cannot generate a record. */
  | {
      readonly kind: 'refused';
      /** At least one. Paths are relative to the schema, and empty for the schema itself. */
      readonly problems: readonly Problem[];
      /** Names in the schema that no built-in model or generator has. The organisation may have them. */
      readonly unknownNames: readonly string[];
    };

export interface Catalog {
  readonly kind: 'catalog';
  readonly generators: readonly CatalogGenerator[];
  readonly models: readonly BuiltinModel[];
  /** The names of the functions of the expression language. */
  readonly functions: readonly string[];
  /** The names at the top level of the edited text. Default: those of a schema. */
  readonly topLevel?: readonly string[];
}

/** A generator that a definition can select. Plain data. */
export interface CatalogGenerator {
  /** The registered name, such as `@svc/core:logic.int_between`. */
  readonly name: string;
  readonly description: string;
  readonly params: ParamsManifest;
  readonly constraints: ParamsManifest;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

export interface RulesResponse {
  readonly kind: 'rules';
  /** For each table of the request its problems, with paths that begin with `columns`. */
  readonly problems: readonly (readonly FieldProblem[])[];
}

export interface JobFileResponse {
  readonly kind: 'job-file';
  readonly file: ReadJobFile;
}

/**
 * The worker failed for a reason that is not in the schema. The cause is `assets` if a file of a model could not be
 * fetched, and `engine` for a fault of the program.
 */
export interface FailedResponse {
  readonly kind: 'failed';
  readonly cause: 'assets' | 'engine';
}

/** The requests to the worker by their kinds, each with its response. */
export interface Exchanges {
  readonly records: { readonly request: RecordsRequest; readonly response: RecordsResponse };
  readonly catalog: { readonly request: CatalogRequest; readonly response: Catalog };
  readonly rules: { readonly request: RulesRequest; readonly response: RulesResponse };
  readonly 'job-file': { readonly request: JobFileRequest; readonly response: JobFileResponse };
  readonly composition: { readonly request: CompositionRequest; readonly response: CheckedComposition };
  readonly distribution: { readonly request: DistributionRequest; readonly response: Distribution };
  readonly 'sample-rule': { readonly request: SampleRuleRequest; readonly response: SampledRule };
}

export type WorkerRequest = Exchanges[keyof Exchanges]['request'];
export type WorkerResponse = Exchanges[keyof Exchanges]['response'] | FailedResponse;
