import { getMetadataStorage } from 'class-validator';

import { declarationOf } from '../platform/http/dto/declared.js';
import { documentationOf, type JsonSchema } from '../platform/http/dto/documented.js';
import { nestedType, type DtoClass } from '../platform/http/dto/read-dto.js';

/** The metadata that class-validator stores for one validator of one field. */
interface Validation {
  readonly type: string;
  readonly name?: string | undefined;
  readonly constraints?: unknown[] | undefined;
  readonly each?: boolean | undefined;
}

/**
 * Derives the JSON Schema of a request's DTO from its validators.
 * @throws Error if a validator has no entry in `KEYWORDS`, or a field has no `@Documented`
 */
export function dtoSchema(dto: DtoClass): JsonSchema {
  const fields = validationsOf(dto);
  const properties = [...fields].map(([name, validations]) => [name, fieldSchema(dto, name, validations)]);
  const required = [...fields]
    .filter(([, validations]) => !validations.some(isOptional))
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function validationsOf(dto: DtoClass): Map<string, Validation[]> {
  const fields = new Map<string, Validation[]>();
  for (const validation of getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false)) {
    const { propertyName } = validation;
    fields.set(propertyName, [...(fields.get(propertyName) ?? []), validation]);
  }
  // A class's own fields come before the inherited ones, in the order of declaration.
  return fields;
}

const isOptional = ({ type }: Validation): boolean => type === 'conditionalValidation';

function fieldSchema(dto: DtoClass, name: string, validations: readonly Validation[]): JsonSchema {
  const declaration = declarationOf(validations);
  if (declaration) return withoutReading(declaration);
  const where = `${dto.name}.${name}`;
  const documented = documentationOf(dto, name);
  if (!documented) throw new Error(`${where} has no description: add @Documented('…') to the field`);
  if (documented['type'] !== undefined) return documented;
  const own = validations.filter(({ each, type }) => !each && type !== 'nestedValidation');
  const ofItems = validations.filter(({ each, type }) => each && type !== 'nestedValidation');
  const nested = nestedType(dto, name);
  const schema = Object.assign({}, ...own.map((validation) => keywords(validation, where))) as JsonSchema;
  const items = Object.assign({}, ...ofItems.map((validation) => keywords(validation, where))) as JsonSchema;
  if (schema['type'] === 'array')
    return { ...schema, items: nested ? dtoSchema(nested) : items, ...documented };
  return { ...schema, ...(nested ? dtoSchema(nested) : {}), ...documented };
}

/** Returns the JSON Schema of a declaration, without the parts for its reader. */
function withoutReading(declaration: object): JsonSchema {
  const text = JSON.stringify(declaration, (key, value: unknown) => (key === 'reading' ? undefined : value));
  return JSON.parse(text) as JsonSchema;
}

function keywords(validation: Validation, where: string): JsonSchema {
  const name = validation.name ?? validation.type;
  const convert = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
  if (!convert)
    throw new Error(`${where}: the validator "${name}" has no JSON Schema; add an entry to dto-schema.ts`);
  return convert(validation.constraints ?? []);
}

/** JSON Schema keywords of each validator, by its name. */
const KEYWORDS: Readonly<Record<string, (constraints: readonly unknown[]) => JsonSchema>> = {
  conditionalValidation: () => ({}),
  whitelistValidation: () => ({}), // checked by other code; the schema is in `@Documented`
  isString: () => ({ type: 'string' }),
  isName: ([max]) => ({ type: 'string', minLength: 1, maxLength: max }),
  isBoolean: () => ({ type: 'boolean' }),
  isLength: ([min, max]) => ({ type: 'string', minLength: min, maxLength: max }),
  maxLength: ([max]) => ({ type: 'string', maxLength: max }),
  matches: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  hasVisibleName: () => ({}),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  isInstant: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  isIn: ([values]) => ({ type: 'string', enum: values }),
  isIntegerBetween: ([minimum, maximum]) => ({ type: 'integer', minimum, maximum }),
  isNumberBetween: ([minimum, maximum]) => ({ type: 'number', minimum, maximum }),
  isArray: () => ({ type: 'array' }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMinSize: ([minItems]) => ({ minItems }),
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  isPlainObject: () => ({ type: 'object' }),
  isSchema: () => ({ type: 'object' }),
  isFile: () => ({ type: 'string', contentMediaType: 'application/octet-stream' }),
};
