import { Validator } from '@seriousme/openapi-schema-validator';
import { IsString, ValidateBy } from 'class-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Documented } from '../http/dto/documented.js';
import { Optional } from '../http/dto/field-validators.js';
import { OPERATIONS } from '../http/operations/operations.js';
import { API_DESCRIPTION, OPERATION_DESCRIPTIONS } from './api-description.js';
import { dtoSchema } from './dto-schema.js';
import { openApiDocument } from './openapi-document.js';

describe('docs/openapi.json', () => {
  it('is what the code describes; "npm run generate" writes it anew', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8');
    expect(committed).toBe(`${JSON.stringify(API_DESCRIPTION, undefined, 2)}\n`);
  });

  it('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(API_DESCRIPTION))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has every operation of the table and no other', () => {
    const described = Object.values(API_DESCRIPTION.paths).flatMap((methods) => Object.values(methods));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(
      OPERATIONS.map(({ id }) => id).sort(),
    );
    expect(Object.keys(OPERATION_DESCRIPTIONS).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });
});

describe('the description', () => {
  it('is refused for an operation without an entry', () => {
    expect(() => openApiDocument(OPERATIONS, {}, '1')).toThrow(
      'operation generate has no entry in api-description/operation-descriptions.ts',
    );
  });

  it('is refused for a field that nothing describes', () => {
    class Silent {
      @IsString()
      name: string;
    }
    expect(() => dtoSchema(Silent)).toThrow(
      "Silent.name has no description: add @Documented('…') to the field",
    );
  });

  it('is refused for a validator that it cannot put into words', () => {
    class Odd {
      @Documented('a name')
      @ValidateBy({ name: 'isPalindrome', validator: { validate: () => true } })
      name: string;
    }
    expect(() => dtoSchema(Odd)).toThrow('what the validator "isPalindrome" means');
  });

  it('takes bounds from the validators, of inherited fields too', () => {
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
