import { builtinLibrary } from '@understudy/builtin-models/node';
import { parseColumnRule } from '@understudy/column-rule';
import { compileColumnMask, sampleValues } from '@understudy/masking';
import { type Kind, KINDS, proposeRules, type ProposalRequest, typeGroup } from '@understudy/personal-data';
import fc from 'fast-check';

const { models, assets, registry, files } = builtinLibrary();
const JOB = { maskingKey: new Uint8Array(32).fill(3), seed: 1, referenceInstantMs: Date.UTC(2026, 0, 1) };

/**
 * Returns values that a rule generates in a job. The table also has columns whose names some rules use for
 * their inner steps, so a name conflict makes the test fail.
 */
function valuesOf(
  written: unknown,
  maxLength: number | undefined,
  isText: boolean,
): readonly (string | null)[] {
  const parsed = parseColumnRule(written, 'rule');
  if ('problems' in parsed) throw new Error(JSON.stringify([written, parsed.problems]));
  const { rule } = parsed;
  if (rule.kind === 'preserve' || rule.kind === 'json')
    throw new Error('expected a rule that generates values');
  const names = ['c', 'n', 'd', 'first', 'last', 'text', 'check'];
  const mask = compileColumnMask(
    {
      ...{ name: 'c', path: 'rule', rule, isText, isBlankPadded: false },
      ...(maxLength === undefined ? {} : { maxLength }),
    },
    names,
    {
      ...{ job: JOB, table: 'public.t', assets, registry },
      models: (id) => {
        const model = models(id);
        return model === undefined ? undefined : { model, hash: id };
      },
    },
  );
  return sampleValues([mask], names, 20).get('c') ?? [];
}

const TEXTS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  phone: ['206-555-0100', '206-555-0199'],
  card: ['4111 1111 1111 1111'],
  iban: ['DE89 3704 0044 0532 0130 00'],
  birth_date: ['31.12.1980', '01.02.1999', '03.04.1970'],
  street: ['12a', '7'],
  coordinates: ['52.1,13.4'],
  national_id: ['AB 12-34', 'XY 99-88'],
  secret: ['1234'],
  income: ['52,000', '48,500'],
  gender: ['m', 'w', 'm'],
  health: ['A+', 'O-'],
};

describe('proposeRules', () => {
  const request: fc.Arbitrary<Omit<ProposalRequest, 'group'>> = fc.record({
    detection: fc.record({ kind: fc.constantFrom(...KINDS) }),
    type: fc.constantFrom(
      'text',
      'varchar',
      'int4',
      'int8',
      'numeric',
      'date',
      'timestamp',
      'bytea',
      'inet',
      'point',
    ),
    maxLength: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }) as fc.Arbitrary<number>,
    isUnique: fc.boolean(),
    rows: fc.constantFrom(0, 10, 1_000, 10_000_000),
    locale: fc.constantFrom('en_US', 'de_DE', 'ja_JP', 'ru_RU', 'cs_CZ'),
    isArray: fc.boolean(),
    isNullable: fc.boolean(),
    values: fc.constant([]),
  });

  it('proposes rules that compile and generate values within the maximum length, for any column', () => {
    fc.assert(
      fc.property(request, fc.boolean(), (facts, hasValues) => {
        const { kind } = facts.detection;
        const values = hasValues ? (TEXTS[kind] ?? []) : [];
        const group = typeGroup(facts.type);
        for (const rule of proposeRules({ ...facts, values, group })) {
          const made = valuesOf(rule, facts.maxLength, group === 'text');
          expect(made).toHaveLength(20);
          for (const value of made)
            expect([...(value ?? '')].length).toBeLessThanOrEqual(facts.maxLength ?? Infinity);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('proposes names of one sex if the last names of a locale depend on the sex', () => {
    const sexed = files.all().flatMap(({ id }) => /^(.*)\/female_last_names$/.exec(id)?.[1] ?? []);
    expect(sexed).toEqual(expect.arrayContaining(['cs_CZ', 'ru_RU']));
    for (const locale of sexed)
      for (const kind of ['first_name', 'last_name', 'full_name', 'email', 'username'] as const)
        for (const values of [[], ['Nováková, Jana']]) {
          const rules = JSON.stringify(
            proposeRules({
              ...{ detection: { kind }, type: 'text', group: 'text', values, locale, rows: 1 },
              ...{ isArray: false, isUnique: false, isNullable: false },
            }),
          );
          expect(rules).not.toMatch(/\/(?:male_)?(?:first|last)_names/);
        }
  });

  it('proposes NULL as the last rule of nullable columns, and never for other columns', () => {
    for (const kind of KINDS) {
      const facts = {
        detection: { kind },
        type: 'text',
        group: 'text',
        values: [],
        isArray: false,
        isUnique: false,
        rows: 1,
        locale: 'en_US',
      } as const;
      const nullable = proposeRules({ ...facts, isNullable: true });
      expect(new Set(valuesOf(nullable.at(-1), undefined, true))).toEqual(new Set([null]));
      for (const rule of proposeRules({ ...facts, isNullable: false }))
        expect(valuesOf(rule, undefined, true)).not.toContain(null);
    }
  });

  it('proposes the same rule for all addresses, logins and personal numbers of the same format', () => {
    const facts = {
      type: 'text',
      group: 'text',
      values: [],
      isArray: false,
      isUnique: false,
      rows: 1,
      locale: 'en_US',
      isNullable: false,
    } as const;
    for (const kind of ['email', 'username', 'national_id', 'iban'] as const) {
      const [one] = proposeRules({ ...facts, detection: { kind } });
      const [other] = proposeRules({
        ...facts,
        detection: { kind },
        maxLength: 200,
        isUnique: true,
        rows: 1_000,
      });
      expect([kind, one?.['consistent'], other]).toEqual([kind, true, one]);
    }
  });
});
