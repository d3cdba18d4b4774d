import { covered, decidedOtherwise, leadIn, type Section } from '../row.js';
import { generators, generatorsApi, picks, registry, useComp } from './suites.js';

/** Section 2.9: compositions. */
export const COMPOSITIONS: readonly Section[] = [
  {
    number: '2.9 composition',
    title: '',
    rows: [
      decidedOtherwise(
        'A composition is a generator made of other generators, nested without limit.',
        'Nesting is limited by the budgets: 64 levels of JSON for an inline composition, 200 levels of registered ones.',
        generators('Compositions nest 20 levels deep'),
        useComp('compositions within compositions 200 levels within each other are taken, one more is not'),
      ),
      covered(
        'It is registered by name and then used like a built-in.',
        generatorsApi('is shown as it was sent, and used by its name and by its version'),
      ),
      covered(
        'Its params are validated against its own manifest on every call.',
        useComp('checks its params on every call, not on the first alone'),
      ),
      decidedOtherwise(
        '| name | string, required | Namespaced name of the form `@<namespace>/<package>:<name>`. |',
        'Names are lower case, and a namespace or package has no dot or underscore.',
        registry('gives a generator with its manifest'),
        registry('refuses upper case'),
      ),
      decidedOtherwise(
        '| version | string (default `0.1.0`) | Manifest version. |',
        'Versions are semantic versions. The default is as stated.',
        registry('gives a generator with its manifest'),
        generatorsApi('with a version of another form is refused where it stands'),
      ),
      covered(
        '| description | string | Summary. |',
        registry('gives a generator with its manifest'),
        generatorsApi('is shown as it was sent, and used by its name and by its version'),
      ),
      decidedOtherwise(
        '| params | object | Inputs: each `{ type, required (false), default }`. |',
        'A required param has no default, and the types are a closed list.',
        useComp('passes params with their types, and defaults for those left out'),
        useComp('refuses the params {} before the first row'),
      ),
      covered(
        '| let | object | Named steps evaluated in dependency order (topologically sorted; a cycle errors). |',
        generators('let steps are evaluated in dependency order, whatever the order they are written in'),
        generators('A cycle in let errors'),
      ),
      covered(
        '| body / variants / output | | Exactly one output form. |',
        generators('A composition has exactly one output form'),
      ),
      covered(
        'Everything a composition references resolves against its own local bindings (its params and the `let` results), never a table, row or sibling field.',
        useComp('does not see the names of the schema, and is not disturbed by them'),
      ),
      covered(
        'Every reference is checked at registration against the known param and let names (a `where` predicate may also use `item`); a misspelled reference fails at registration, not at run time.',
        registry('reports all of them at once'),
        registry('item is a name in where alone'),
        generators('A misspelled reference fails before anything runs'),
        generatorsApi('with a misspelt param is refused where it stands'),
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
          'count of repeat is an integer, a range a-b drawn anew each time, or an expression floored to an integer',
        ),
      ),
      covered(
        '| of | generator definition | Item generator; its params are interpolated against the locals. |',
        generators('The params of the items of repeat are interpolated against the locals'),
      ),
      covered(
        '| unique | boolean (false) | De-duplicates items with up to 200 retries each; failing to fill errors. |',
        generators(
          'repeat with unique gives distinct items, with up to 200 retries each; failing to fill errors',
        ),
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
