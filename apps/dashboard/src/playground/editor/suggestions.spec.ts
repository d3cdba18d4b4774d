import { jsonLanguage } from '@codemirror/lang-json';
import { builtinModels } from '@understudy/builtin-models/node';
import { FUNCTIONS } from '@understudy/expression';
import { CORE_REGISTRY } from '@understudy/generator';

import type { Catalog } from '../../engine/worker/messages.js';
import { contextAt } from './json-context.js';
import { suggest } from './suggestions.js';

const CATALOG: Catalog = {
  kind: 'catalog',
  generators: CORE_REGISTRY.all().map(({ constraints = {}, ...each }) => ({ ...each, constraints })),
  models: builtinModels.all(),
  functions: [...FUNCTIONS.keys()],
};

/** Returns the suggestions at the mark `|` in a text. */
function suggestions(marked: string): string[] {
  const position = marked.indexOf('|');
  const text = marked.replace('|', '');
  const context = contextAt(jsonLanguage.parser.parse(text), text, position);
  if (context === undefined) return [];
  const before = text.slice(Math.min(context.range.from + 1, position), position);
  return suggest(context, CATALOG, before).map((suggestion) => suggestion.text);
}

const inDefinition = (definition: string): string[] =>
  suggestions(`{ "generators": { "age": ${definition} }, "output": ["age"] }`);

describe('suggest', () => {
  it('gives the two parts of a schema', () => {
    expect(suggestions('{ "|" }')).toEqual(['generators', 'output']);
  });

  it('gives the names of all generators for the output', () => {
    expect(suggestions('{ "generators": { "a": {}, "b": {} }, "output": ["a", "|"] }')).toEqual(['a', 'b']);
  });

  it('gives the types, and the algorithms of svc', () => {
    expect(inDefinition('{ "type": "|" }')).toContain('statistical');
    expect(inDefinition('{ "type": "svc", "algorithm": "|" }')).toEqual(
      expect.arrayContaining(['int_between', 'uuid_v4']),
    );
  });

  it('gives the params of the chosen algorithm', () => {
    const params = inDefinition('{ "type": "svc", "algorithm": "int_between", "params": { "|" } }');
    expect(params).toEqual(expect.arrayContaining(['min', 'max', 'except']));
    expect(params).not.toContain('type');
  });

  it('gives the keys of a type that are not written yet', () => {
    const keys = inDefinition('{ "type": "list", "values": [1], "|" }');
    expect(keys).toEqual(expect.arrayContaining(['where', 'unique']));
    expect(keys).not.toContain('values');
    expect(keys).not.toContain('params');
  });

  it('gives the built-in models for a model, and only lists for a list', () => {
    expect(inDefinition('{ "type": "model", "source": "|" }')).toContain('de_DE/full_names');
    const lists = inDefinition('{ "type": "list", "source": "|" }');
    expect(lists).toContain('en_US/cities_by_state');
    expect(lists).not.toContain('de_DE/full_names');
  });

  it('gives generators and compositions for use', () => {
    expect(inDefinition('{ "use": "|" }')).toEqual(
      expect.arrayContaining(['@svc/core:list', 'de_DE/full_names']),
    );
  });

  it('gives the allowed values of a param', () => {
    expect(inDefinition('{ "type": "statistical", "distribution": "|" }')).toEqual(
      expect.arrayContaining(['normal', 'poisson']),
    );
  });

  it('gives generators, steps and functions inside an expression', () => {
    const names = inDefinition('{ "let": { "year": {} }, "body": "born {{|" }');
    expect(names).toEqual(expect.arrayContaining(['year', 'age', 'slug()']));
    expect(inDefinition('{ "body": "born {{age}} |" }')).toEqual([]);
  });

  it('completes a step of a composition like a generator', () => {
    expect(inDefinition('{ "let": { "year": { "type": "|" } } }')).toContain('svc');
  });

  it.each(['|', '[|]', '{ "generators": { "|" } }', '{ "generators": 3|'])(
    'gives nothing useless at %s',
    (text) => {
      expect(suggestions(text)).toEqual([]);
    },
  );
});
