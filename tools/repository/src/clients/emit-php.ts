import type { ApiModel, Field, ObjectType, Operation } from './api-model.js';
import { byResource } from './emitter-parts.js';
import { objectName } from './named-types.js';
import { phpMethods } from './php-methods.js';
import { decodedType, docComment, nativeType, PhpTypes } from './php-types.js';
import { camel, pascal } from './read-api.js';

const FOLDER = 'clients/php/src/Generated';
const HEADER = `<?php

// Generated from docs/reference/openapi.json by \`npm run generate\`. Do not edit.

declare(strict_types=1);

`;

/** The hand-written methods of a resource, by the name of the resource. */
const TRAITS: Readonly<Record<string, string>> = { jobs: 'WaitsForJobs', webhooks: 'VerifiesWebhooks' };

/** Writes a class for each type of a response and each group of methods, and the table of operations. */
export function emitPhp(api: ApiModel): Record<string, string> {
  const types = new PhpTypes(api);
  const files: Record<string, string> = {};
  const results = api.operations.flatMap(({ result, streams }) => (streams ? [] : [result]));
  const lists = new Map(api.operations.map(({ result, page }) => [objectName(result), page?.itemsField]));
  for (const type of types.reachable(results))
    files[`${FOLDER}/Types/${type.name}.php`] = typeFile(types, type, lists.get(type.name));
  for (const [resource, operations] of byResource(api.operations))
    if (resource !== '')
      files[`${FOLDER}/Methods/${pascal(resource)}.php`] = methodsFile(types, resource, operations);
  files[`${FOLDER}/Resources.php`] = resourcesFile(types, byResource(api.operations));
  files[`${FOLDER}/Operations.php`] = operationsFile(types, api);
  return files;
}

/** @param list the field that makes the type a page */
function typeFile(types: PhpTypes, type: ObjectType, list: string | undefined): string {
  const properties = type.fields.map((field) => property(types, field)).join('\n');
  const table = type.fields.map((field) => {
    const mark = nullable(field) ? '?' : field.name === list ? '!' : '';
    return `        '${field.name}${mark}' => ${decodedType(field.type)},\n`;
  });
  return `${HEADER}namespace Understudy\\Generated\\Types;

use Understudy\\ResponseObject;

${docComment(type.doc === '' ? [`The type ${type.name} of a response.`] : [type.doc], [], '')}final class ${type.name} implements \\JsonSerializable
{
    use ResponseObject;

    private const FIELDS = [
${table.join('')}    ];

${properties}}
`;
}

const nullable = (field: Field): boolean => !field.required || /^(\?|mixed)/.test(nativeType(field.type));

function property(types: PhpTypes, field: Field): string {
  const { name, doc, type } = field;
  const native = nativeType(type);
  const optional = nullable(field) && !/^(\?|mixed)/.test(native) ? `?${native}` : native;
  const phpdoc = types.doc(type, 'response') + (optional === `?${native}` ? '|null' : '');
  const plain = phpdoc === optional || phpdoc === `${optional.slice(1)}|null`;
  const comment = docComment(doc === '' ? [] : [doc], plain ? [] : [`@var ${phpdoc}`], '    ');
  return `${plain && doc === '' ? '' : comment}    public readonly ${optional} $${name};\n`;
}

function methodsFile(types: PhpTypes, resource: string, operations: readonly Operation[]): string {
  const trait = TRAITS[resource];
  const uses = ['Understudy\\CallOptions', 'Understudy\\Generated\\Types', 'Understudy\\Internal\\Caller']
    .concat(operations.some(({ page }) => page) ? ['Understudy\\Internal\\Pages'] : [])
    .concat(trait === undefined ? [] : [`Understudy\\Internal\\${trait}`])
    .sort();
  return `${HEADER}namespace Understudy\\Generated\\Methods;

${uses.map((name) => `use ${name};\n`).join('')}
/** The methods of \`$client->${camel(resource)}\`. */
final class ${pascal(resource)}
{
${trait === undefined ? '' : `    use ${trait};\n\n`}    /** @internal */
    public function __construct(private readonly Caller $caller)
    {
    }

${operations.flatMap((operation) => phpMethods(types, operation)).join('\n')}}
`;
}

function resourcesFile(types: PhpTypes, groups: ReadonlyMap<string, readonly Operation[]>): string {
  const names = [...groups.keys()].filter((name) => name !== '');
  const own = (groups.get('') ?? []).filter((operation) => !operation.streams);
  return `${HEADER}namespace Understudy\\Generated;

use Understudy\\CallOptions;
use Understudy\\Internal\\Caller;

/** The groups of methods of the client, and the methods without a group. */
abstract class Resources
{
${names.map((name) => `    public readonly Methods\\${pascal(name)} $${camel(name)};\n`).join('')}
    protected function __construct(protected readonly Caller $caller)
    {
${names.map((name) => `        $this->${camel(name)} = new Methods\\${pascal(name)}($caller);\n`).join('')}    }

${own.flatMap((operation) => phpMethods(types, operation)).join('\n')}}
`;
}

function operationsFile(types: PhpTypes, api: ApiModel): string {
  const entries = api.operations.map((operation) => {
    const { id, httpMethod, path, retry, idempotencyKey, body } = operation;
    const files = (body?.type.fields ?? []).flatMap(({ name, type }) => (type.kind === 'file' ? [name] : []));
    const objects = body ? types.objectPaths(body.type.fields) : [];
    const parts = [
      `'${id}'`,
      `'${httpMethod}'`,
      `'${path}'`,
      ...(retry === 'always' ? [] : [`retry: '${retry}'`]),
      ...(idempotencyKey ? ['key: true'] : []),
      ...(operation.public ? ['public: true'] : []),
      ...(operation.enveloped ? [] : ['enveloped: false']),
      ...(files.length > 0 ? [`files: ['${files.join("', '")}']`] : []),
      ...(objects.length > 0 ? [`objects: ['${objects.join("', '")}']`] : []),
    ];
    const line = `            '${id}' => new Operation(${parts.join(', ')}),\n`;
    if (line.length <= 120) return line;
    return `            '${id}' => new Operation(\n${parts.map((part) => `                ${part},\n`).join('')}            ),\n`;
  });
  return `${HEADER}namespace Understudy\\Generated;

use Understudy\\Internal\\Operation;

/** The operations of the API. */
final class Operations
{
    /** @internal */
    public static function get(string $id): Operation
    {
        return match ($id) {
${entries.join('')}        };
    }
}
`;
}
