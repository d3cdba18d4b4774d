import type { BuiltinLibrary } from '@understudy/builtin-models';
import { writeExactJson } from '@understudy/expression';
import { type ParsedJson, parseJsonWithComments } from '@understudy/sync-job/job-file';
import {
  fieldPath,
  type FieldProblem,
  type HostedModel,
  isObject,
  isString,
  type JobComposition,
} from '@understudy/sync-job';
import {
  DefinitionError,
  defineComposition,
  type GeneratorSources,
  withCompositions,
} from '@understudy/generator';
import { ModelFormatError, type NgramModel, readModel } from '@understudy/ngram';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The custom models and compositions that the rules of a job file can name, read from files. */
export interface JobFilesLibrary {
  readonly sources: Required<GeneratorSources>;
  readonly hostedModels: readonly HostedModel[];
  /** The content of each hosted model's file, by model id. */
  readonly modelFiles: ReadonlyMap<string, Uint8Array>;
  readonly compositions: readonly JobComposition[];
}

const MAX_FILES = 100;
const MIB = 1024 * 1024;
const MAX_BYTES = 32 * MIB;

/**
 * Reads `models` (`{"custom/names": "names.ngram"}`) and `compositions` (`["person.json"]`) of a job file.
 * @param folder the folder that relative paths start from
 */
export function readJobFilesLibrary(
  source: Readonly<Record<string, unknown>>,
  { folder, builtin, nowMs }: { folder: string; builtin: BuiltinLibrary; nowMs: number },
  problems: FieldProblem[],
): JobFilesLibrary {
  const models = readModels(source['models'], folder, problems);
  const read = (id: string): NgramModel | undefined => models.get(id)?.model;
  const compositions = readCompositions(source['compositions'], folder, problems);
  const sources = {
    models: (id: string) => (id.startsWith('custom/') ? read(id) : builtin.models(id)),
    modelIds: () => [...models.keys(), ...builtin.modelIds()],
    assets: builtin.assets,
    registry: withCompositions(builtin.registry, {
      names: () => [...compositions.keys()],
      read: (use) => compositions.get(use)?.definition,
    }),
  };
  for (const { field, definition } of new Set(compositions.values())) {
    try {
      defineComposition(definition, { ...sources, nowMs });
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      for (const { path, message } of error.problems)
        problems.push({ field, message: inFile({ field: path, message }) });
    }
  }
  return {
    sources,
    hostedModels: [...models].map(([id, { file }]) => ({ id, hash: sha256(file), byteLength: file.length })),
    modelFiles: new Map([...models].map(([id, { file }]) => [id, file])),
    compositions: [...compositions].map(([use, { json }]) => ({
      use,
      definitionJson: json,
      hash: sha256(json),
    })),
  };
}

interface ReadModel {
  readonly file: Uint8Array;
  readonly model: NgramModel;
}

function readModels(
  written: unknown,
  folder: string,
  problems: FieldProblem[],
): ReadonlyMap<string, ReadModel> {
  const found = new Map<string, ReadModel>();
  if (written === undefined) return found;
  if (!isObject(written) || Object.keys(written).length > MAX_FILES) {
    problems.push({
      field: 'models',
      message: `expected an object like {"custom/names": "names.ngram"} of at most ${MAX_FILES} models`,
    });
    return found;
  }
  for (const [id, path] of Object.entries(written)) {
    const field = fieldPath('models', id);
    if (!/^custom\/[A-Za-z0-9_.-]{1,128}$/.test(id)) {
      problems.push({ field, message: 'expected an id like custom/names' });
      continue;
    }
    const file = readNamed(path, field, folder, problems);
    if (file === undefined) continue;
    try {
      found.set(id, { file, model: readModel(file) });
    } catch (error) {
      if (!(error instanceof ModelFormatError)) throw error;
      problems.push({ field, message: `the file is not a valid .ngram file: ${error.message}` });
    }
  }
  return found;
}

interface ReadComposition {
  readonly field: string;
  readonly json: string;
  readonly definition: unknown;
}

/** Returns the compositions by the names that rules use: `@mine/people:person`, with and without a version. */
function readCompositions(
  written: unknown,
  folder: string,
  problems: FieldProblem[],
): ReadonlyMap<string, ReadComposition> {
  const compositions = new Map<string, ReadComposition>();
  if (written === undefined) return compositions;
  if (!Array.isArray(written) || written.length > MAX_FILES) {
    problems.push({
      field: 'compositions',
      message: `expected a list like ["person.json"] of at most ${MAX_FILES} files`,
    });
    return compositions;
  }
  for (const [index, path] of written.entries()) {
    const field = fieldPath('compositions', index);
    const file = readNamed(path, field, folder, problems);
    if (file === undefined) continue;
    const {
      value: definition,
      problems: [problem],
    } = parse(file);
    if (problem !== undefined) {
      problems.push({ field, message: `${inFile(problem)} (character ${problem.offset + 1} of the file)` });
      continue;
    }
    const name: unknown = isObject(definition) ? definition['name'] : undefined;
    if (!isObject(definition) || !isString(name)) {
      problems.push({ field, message: 'expected a file with one JSON object that has a "name"' });
      continue;
    }
    const read = { field, json: writeExactJson(definition), definition };
    compositions.set(name, read);
    const version = definition['version'];
    if (isString(version)) compositions.set(`${name}@${version}`, read);
  }
  return compositions;
}

function readNamed(
  path: unknown,
  field: string,
  folder: string,
  problems: FieldProblem[],
): Uint8Array | undefined {
  const fail = (message: string): undefined => {
    problems.push({ field, message });
  };
  if (!isString(path) || path === '' || path.includes('\0')) return fail('expected the path of a file');
  try {
    const file = readFileSync(resolve(folder, path));
    return file.length > MAX_BYTES ? fail(`expected a file of at most ${MAX_BYTES / MIB} MiB`) : file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(
      code === 'ENOENT'
        ? 'there is no such file; the path is relative to the job file'
        : 'the file cannot be read',
    );
  }
}

function parse(file: Uint8Array): Pick<ParsedJson, 'value' | 'problems'> {
  try {
    return parseJsonWithComments(new TextDecoder('utf-8', { fatal: true }).decode(file));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { value: undefined, problems: [{ field: '', message: 'expected text in UTF-8', offset: 0 }] };
  }
}

/** Returns a message with the path within its file. */
function inFile({ field, message }: FieldProblem): string {
  return `${field === '' ? '' : `${field}: `}${message}`;
}

function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
