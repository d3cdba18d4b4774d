import { Validator } from '@seriousme/openapi-schema-validator';
import { IsString, ValidateBy } from 'class-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Documented } from '../http/dto/documented.js';
import { Optional } from '../http/dto/field-validators.js';
import { takesKey } from '../http/operations/operation.js';
import { OPERATIONS } from '../http/operations/operations.js';
import { API_DESCRIPTION, OPERATION_DESCRIPTIONS } from './api-description.js';
import { dtoSchema } from './dto-schema.js';
import { openApiDocument } from './openapi-document.js';

describe('docs/reference/openapi.json', () => {
  it('equals the description in the code (run "npm run generate" to update the file)', () => {
    const committed = readFileSync(
      join(import.meta.dirname, '../../../../docs/reference/openapi.json'),
      'utf8',
    );
    expect(committed).toBe(`${JSON.stringify(API_DESCRIPTION, undefined, 2)}\n`);
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(API_DESCRIPTION))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('describes exactly the operations of the table', () => {
    const described = Object.values(API_DESCRIPTION.paths).flatMap((methods) => Object.values(methods));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(
      OPERATIONS.map(({ id }) => id).sort(),
    );
    expect(Object.keys(OPERATION_DESCRIPTIONS).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });
});

describe('a conflict', () => {
  type Response = { readonly $ref: string };
  type Component = { readonly headers: Readonly<Record<string, { readonly required?: boolean }>> };
  const responses = API_DESCRIPTION.components['responses'] as unknown as Readonly<Record<string, Component>>;

  it('has an optional Retry-After exactly for the operations that take an idempotency key', () => {
    const operations = Object.values(API_DESCRIPTION.paths).flatMap((methods) => Object.values(methods));
    const found = operations.flatMap(({ operationId, responses: own }) => {
      const reference = (own as Readonly<Record<string, Response>>)['409']?.$ref.split('/').at(-1);
      return reference === undefined
        ? []
        : [[operationId, responses[reference]?.headers['Retry-After']?.required]];
    });
    const refused = new Set(found.map(([id]) => id));
    const rows = OPERATIONS.filter(({ id }) => refused.has(id));
    expect(found).toEqual(rows.map((row) => [row.id, takesKey(row) ? false : undefined]));
    expect(rows.some(takesKey) && !rows.every(takesKey)).toBe(true);
  });
});

describe('openApiDocument', () => {
  it('refuses an operation without an entry', () => {
    expect(() => openApiDocument(OPERATIONS, {}, '1')).toThrow(
      'operation generate has no description: add an entry to OPERATION_DESCRIPTIONS in api-description.ts',
    );
  });
});

describe('dtoSchema', () => {
  it('refuses a field without @Documented', () => {
    class Silent {
      @IsString()
      name: string;
    }
    expect(() => dtoSchema(Silent)).toThrow(
      "Silent.name has no description: add @Documented('…') to the field",
    );
  });

  it('refuses a validator that has no JSON Schema', () => {
    class Odd {
      @Documented('a name')
      @ValidateBy({ name: 'isPalindrome', validator: { validate: () => true } })
      name: string;
    }
    expect(() => dtoSchema(Odd)).toThrow(
      'Odd.name: the validator "isPalindrome" has no JSON Schema; add an entry to dto-schema.ts',
    );
  });

  it('derives schemas from validators, including those of inherited fields', () => {
    class Base {
      @Documented('a name')
      @Optional()
      @IsString()
      name?: string;
    }
    class Derived extends Base {
      @Documented('a title', { examples: ['Dr'] })
      @IsString()
      title: string;
    }
    expect(dtoSchema(Derived)).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', description: 'a title', examples: ['Dr'] },
        name: { type: 'string', description: 'a name' },
      },
      required: ['title'],
      additionalProperties: false,
    });
  });
});
