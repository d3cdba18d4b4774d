import type { ApiModel, ObjectType, Type } from './api-model.js';
import { pascal } from './read-api.js';

/** The types that the client for Python needs, and the names of its types of texts. */
export interface PythonTypeNames {
  /**
   * The objects of responses, and those within requests. A request itself has no type, because its fields are keyword
   * arguments.
   */
  readonly objects: readonly ObjectType[];
  /** The name for each list of at least two known values. The key is the list as JSON. */
  readonly enums: ReadonlyMap<string, string>;
}

/**
 * Collects the types that are reachable from the operations. A union of objects is represented by its merged type. A
 * list of values is named after the first field that has it: `SyncJobStatus`.
 */
export function pythonTypeNames(api: ApiModel): PythonTypeNames {
  const known = new Map(api.types.map((type) => [type.name, type]));
  const objects = new Map<string, ObjectType>();
  const enums = new Map<string, string>();
  const visit = (type: Type, name: string): void => {
    if (type.kind === 'string' && type.values && type.values.length > 1) {
      const key = JSON.stringify(type.values);
      if (!enums.has(key)) enums.set(key, unused(enums, name));
    } else if (type.kind === 'object') visitObject(type.name);
    else if (type.kind === 'union' && type.merged) visitObject(type.merged);
    else if (type.kind === 'union') type.of.forEach((each) => visit(each, name));
    else if (type.kind === 'list') visit(type.of, name.replace(/s$/, ''));
    else if (type.kind === 'nullable' || type.kind === 'map') visit(type.of, name);
  };
  const visitObject = (name: string): void => {
    const type = known.get(name);
    if (type === undefined) throw new Error(`expected a type ${name}`);
    if (objects.has(name)) return;
    objects.set(name, type);
    const subject = name.replace(/^(Listed|ListModelsResult)/, '').replace(/Request$/, '');
    for (const field of type.fields) visit(field.type, subject + pascal(field.name));
  };
  // The names follow from the responses, because their types have the shortest names.
  for (const { result, id } of api.operations) visit(result, `${pascal(id)}Result`);
  // The format of generated records is no parameter: each has a method.
  for (const operation of api.operations)
    for (const field of [...(operation.body?.type.fields ?? []), ...operation.query])
      if (field.name !== 'format') visit(field.type, pascal(operation.id) + pascal(field.name));
  return { objects: [...objects.values()], enums };
}

function unused(enums: ReadonlyMap<string, string>, name: string): string {
  if ([...enums.values()].includes(name)) throw new Error(`two lists of values are named ${name}`);
  return name;
}
