import { Validator } from '@seriousme/openapi-schema-validator';
import { IsString, ValidateBy } from 'class-validator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Documented } from '../platform/http/dto/documented.js';
import { Optional } from '../platform/http/dto/field-validators.js';
import { takesKey } from '../platform/http/operations/operation.js';
import type { JsonSchema } from '../platform/http/dto/documented.js';
import { ambiguousPaths } from './introduction.js';
import { API_DESCRIPTION } from './openapi-document.js';
import { dtoSchema } from './dto-schema.js';
import { OPERATIONS } from './operations.js';

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

  it('describes every operation', () => {
    const described = Object.values(API_DESCRIPTION.paths).flatMap((methods) => Object.values(methods));
    expect(described.map(({ operationId }) => operationId).sort()).toEqual(
      OPERATIONS.map(({ id }) => id).sort(),
    );
  });
});

describe('the examples of bodies', () => {
  interface Content {
    readonly schema: { readonly required?: readonly string[] };
    readonly example?: Readonly<Record<string, unknown>>;
  }
  const bodies = Object.values(API_DESCRIPTION.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody }) =>
      Object.values((requestBody as { content: Record<string, Content> } | undefined)?.content ?? {}),
    );

  it('contain every required field, files included', () => {
    const missing = bodies.flatMap(({ schema, example = {} }) =>
      (schema.required ?? []).filter((name) => !(name in example)),
    );
    expect(bodies.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});

describe('the introduction', () => {
  it('names every response without an envelope', () => {
    const text = String(API_DESCRIPTION.info['description']);
    const hasEnvelope = (schema: JsonSchema): boolean => 'meta' in ((schema['properties'] ?? {}) as object);
    for (const [path, methods] of Object.entries(API_DESCRIPTION.paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        const contents = Object.entries(responses as Record<string, { content?: Record<string, unknown> }>)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([, { content = {} }]) => Object.values(content) as { schema: JsonSchema }[]);
        const isNamed = text.includes(`\`${method.toUpperCase()} ${path}\``);
        expect([path, method, isNamed]).toEqual([
          path,
          method,
          contents.some(({ schema }) => !hasEnvelope(schema)),
        ]);
      }
  });

  it('names every two paths that match the same URL in different places', () => {
    expect(
      ambiguousPaths(['/a/{id}/b', '/a/c/{id}', '/a/c/b', '/a/{id}', '/{x}/c/d', '/a/{id}/b/c']),
    ).toEqual([
      ['/a/{id}/b', '/a/c/{id}'],
      ['/a/c/{id}', '/{x}/c/d'],
    ]);
    const pairs = ambiguousPaths(Object.keys(API_DESCRIPTION.paths));
    expect(pairs.length).toBeGreaterThan(0);
    for (const [one, other] of pairs)
      expect(API_DESCRIPTION.info['description']).toContain(`\`${one}\` and \`${other}\``);
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
