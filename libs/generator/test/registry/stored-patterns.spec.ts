import { compileDefinition } from '../../src/compile/compile-definition.js';
import { compileSchema } from '../../src/compile/compile-schema.js';
import { storedComposition, defineComposition } from '../../src/registry/define-composition.js';
import { CORE_REGISTRY } from '../../src/types/core-registry.js';
import { refusalOf, svc, type Json } from '../schema-harness.js';
import { OPTIONS } from '../test-model.js';

const DAY = svc('date_between', { start: '2026-03-04', end: '2026-03-04' });
const TEXT = "{{date_format(day, 'yyyy-MM-DD')}}";
const REASON = '"yyyy" is no token of a date pattern; write YYYY for the year, or [yyyy] for the letters';
const schemaOf = (it: Json): Json => ({ generators: { day: DAY, it }, output: ['it'] });

describe('letters of a date pattern that are no tokens', () => {
  it.each<[Json, string]>([
    [{ computed: "date_format(day, 'yyyy-MM-DD')" }, 'generators.it.computed'],
    [{ body: TEXT }, 'generators.it.body'],
    [{ output: { deep: [TEXT] } }, 'generators.it.output.deep[0]'],
    [{ type: 'list', values: [TEXT] }, 'generators.it.values[0]'],
    [{ type: 'list', values: [1], where: "date_format(day, 'yyyy') == 1" }, 'generators.it.where'],
    [{ ...DAY, transform: "date_format(value, 'yyyy')" }, 'generators.it.transform'],
    [{ repeat: { count: "length(date_format(day, 'yyyy'))", of: DAY } }, 'generators.it.repeat.count'],
  ])('are refused in a new definition, and are a warning in a stored one: %j', (it, path) => {
    const { problems } = refusalOf(() => compileSchema(schemaOf(it), OPTIONS));
    expect(problems).toEqual([{ path, message: expect.stringContaining(REASON) as string }]);
    const plan = compileSchema(schemaOf(it), { ...OPTIONS, isStored: true });
    expect(plan.warnings(1)).toEqual(problems);
  });

  it('are copied by a stored definition', () => {
    const plan = compileSchema(schemaOf({ body: TEXT }), { ...OPTIONS, isStored: true });
    expect([...plan.records(1, 0, 1)]).toEqual([{ it: 'yyyy-03-04' }]);
  });

  it('are refused in a column rule, and are a warning in a stored one', () => {
    const rule = { ...DAY, transform: "date_format(value, 'yyyy')" };
    const { problems } = refusalOf(() => compileDefinition(rule, { ...OPTIONS, path: 'c' }));
    expect(problems[0]?.path).toBe('c.transform');
    expect(compileDefinition(rule, { ...OPTIONS, path: 'c', isStored: true }).warnings).toEqual(problems);
  });

  it('are refused when a composition is registered, and are a warning where a stored one is used', () => {
    const composition = { name: '@a/b:c', params: { day: { type: 'string' } }, body: TEXT };
    expect(refusalOf(() => defineComposition(composition, OPTIONS)).problems[0]?.path).toBe('body');
    const registry = CORE_REGISTRY.with(storedComposition(composition, CORE_REGISTRY));
    const use = { use: '@a/b:c', params: { day: '2026-03-04' } };
    const plan = compileSchema(schemaOf(use), { ...OPTIONS, registry });
    expect(plan.warnings(1)).toEqual([
      { path: 'generators.it', message: expect.stringContaining(`in @a/b:c, body: ${REASON}`) as string },
    ]);
    expect([...plan.records(1, 0, 1)]).toEqual([{ it: 'yyyy-03-04' }]);
  });
});

describe('the unit M, which is a month in some languages and a minute in others', () => {
  const message = 'has the unit "M"; write mo for months or min for minutes';
  const range = { start: 'now-1M', end: 'now + 2 M - 1d' };
  const events = [{ name: 'a', range: { start: '-1M' } }];

  it.each<[Json, readonly string[]]>([
    [svc('date_between', range), ['params.start', 'params.end']],
    [svc('datetime_between', range), ['params.start', 'params.end']],
    [svc('timestamp', range), ['params.start', 'params.end']],
    [{ type: 'event_sequence', events }, ['events[0].range.start']],
  ])('is refused in a new definition, and is a warning in a stored one: %j', (it, paths) => {
    const { problems } = refusalOf(() => compileSchema(schemaOf(it), OPTIONS));
    expect(problems).toEqual(paths.map((path) => ({ path: `generators.it.${path}`, message })));
    const plan = compileSchema(schemaOf(it), { ...OPTIONS, isStored: true });
    expect(plan.warnings(1)).toEqual(expect.arrayContaining([...problems]));
    expect([...plan.records(1, 0, 1)]).toHaveLength(1);
  });

  it('is refused in an expression and in data, and is a minute in a stored expression', () => {
    const at = (unit: string): Json => ({
      computed: `date_add('2024-01-31', 1, ${unit})`,
    });
    const first = (it: Json, isStored: boolean): unknown =>
      compileSchema(schemaOf(it), { ...OPTIONS, isStored })
        .records(1, 0, 1)
        .next().value;
    expect(() => first(at("'M'"), false)).toThrow('write mo or month for months, m or minute for minutes');
    expect(first(at("'M'"), true)).toEqual({ it: '2024-01-31T00:01:00.000Z' });
    for (const isStored of [false, true])
      expect(() => first(at("concat('M', '')"), isStored)).toThrow('write mo or month for months');
  });

  it.each(['-1m', '-1min', '-1mo', '+1Month', 'now-2MINUTES', '-1Mo'])('is not in %s', (start) => {
    expect([...compileSchema(schemaOf(svc('timestamp', { start })), OPTIONS).records(1, 0, 1)]).toHaveLength(
      1,
    );
  });
});
