import { covered, decidedOtherwise, leadIn, type Section } from '../row.js';
import { generators, generatorsApi, picks, registry, uniqueRanges, useComp } from './suites.js';

/** Section 2.9: compositions. */
export const COMPOSITIONS: readonly Section[] = [
  {
    number: '2.9 composition',
    title: '',
    rows: [
      decidedOtherwise(
        'A composition is a generator made of other generators, nested without limit.',
        'An inline composition may have at most 64 levels of JSON. Registered compositions may be nested at most 200 levels deep.',
        generators('Compositions nest 20 levels deep'),
        useComp('nested compositions may be 200 levels deep and no deeper'),
      ),
      covered(
        'It is registered by name and then used like a built-in.',
        generatorsApi('is returned as it was sent and can be used by name or version'),
      ),
      covered(
        'Its params are validated against its own manifest on every call.',
        useComp('checks its params on every call, not only on the first'),
      ),
      decidedOtherwise(
        '| name | string, required | Namespaced name of the form `@<namespace>/<package>:<name>`. |',
        'Names are in lower case. A namespace or package must not contain a dot or an underscore.',
        registry('returns a generator with its manifest'),
        registry('refuses upper case'),
      ),
      decidedOtherwise(
        '| version | string (default `0.1.0`) | Manifest version. |',
        'A version must be a semantic version, such as 1.0.0.',
        registry('returns a generator with its manifest'),
        generatorsApi('is refused with an invalid version and the path of the problem'),
      ),
      covered(
        '| description | string | Summary. |',
        registry('returns a generator with its manifest'),
        generatorsApi('is returned as it was sent and can be used by name or version'),
      ),
      decidedOtherwise(
        '| params | object | Inputs: each `{ type, required (false), default }`. |',
        'A required param must not have a default. The [generator page](generators.md) lists the allowed types.',
        useComp('passes params with their types, and defaults for absent ones'),
        useComp('refuses the params {} before the first row'),
      ),
      covered(
        '| let | object | Named steps evaluated in dependency order (topologically sorted; a cycle errors). |',
        generators('let steps are evaluated in dependency order, not in the order they are written in'),
        generators('A cycle in let errors'),
      ),
      covered(
        '| body / variants / output | | Exactly one output form. |',
        generators('A composition has exactly one output form'),
      ),
      covered(
        'Everything a composition references resolves against its own local bindings (its params and the `let` results), never a table, row or sibling field.',
        useComp('cannot read the names of the schema, and is not affected by them'),
      ),
      covered(
        'Every reference is checked at registration against the known param and let names (a `where` predicate may also use `item`); a misspelled reference fails at registration, not at run time.',
        registry('reports all of them together'),
        registry('allows the name item only in where'),
        generators('A misspelled reference fails before anything runs'),
        generatorsApi('is refused with a misspelt param and the path of the problem'),
      ),
      leadIn('`let` step forms:'),
      covered(
        "| Generator | any generator definition (`type` form or `use` form) | The sub-generator's value. Its string params are templates evaluated against the locals, so parent values thread through. |",
        generators('A let step may be any definition, whose string params are templates over the locals'),
      ),
      covered(
        '| Computed | `{ computed: <expression> }` | Value of the expression over prior locals. |',
        generators('A let step may be `{ computed: <expression> }` over other locals'),
      ),
      covered(
        '| Repeat | `{ repeat: { count, of, unique? } }` | Array of `count` sub-generator outputs. |',
        generators('A let step may be { repeat: { count, of, unique? } }: an array of count items'),
      ),
      leadIn('`repeat` keys:'),
      covered(
        '| count | integer, range string `a-b`, or expression string | Number of items. A range draws one integer per invocation; an expression resolves over the locals and is floored to an integer. |',
        generators(
          'count of repeat is an integer, a range a-b drawn again each time, or an expression floored to an integer',
        ),
      ),
      covered(
        '| of | generator definition | Item generator; its params are interpolated against the locals. |',
        generators('The params of the items of repeat are interpolated against the locals'),
      ),
      decidedOtherwise(
        '| unique | boolean (false) | De-duplicates items with up to 200 retries each; failing to fill errors. |',
        'On a range of integers, such as that of `int_between`, the service draws without repetition.',
        generators(
          'repeat with unique gives distinct items, with up to 200 retries each; failing to fill errors',
        ),
        uniqueRanges('unique on a range gives as many values as a repeat asks for, for any range and seed'),
      ),
      leadIn('Output forms:'),
      covered(
        '| body | template string | string (the rendered template) |',
        generators('body is a template that gives a string'),
      ),
      covered(
        '| variants | array of `{ pattern, weight? }` | string; a weighted choice among templates. weight defaults to 1, 0 means never; an empty or all-zero set errors. |',
        generators('variants is a weighted choice among templates; weight defaults to 1, 0 means never'),
        generators('An empty or all-zero set of variants errors'),
        picks('weights are followed by variants: whole'),
      ),
      covered(
        '| output | structured JSON | object, array or any; string leaves are evaluated against the locals, and a leaf that is one whole expression keeps its native type. |',
        generators('output is structured JSON; a leaf that is one whole expression keeps its native type'),
      ),
    ],
  },
];
