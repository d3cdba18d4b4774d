import type { LocalNames } from '../../../src/local-names.js';
import { SyncHarness } from '../sync-harness.js';
import { replaceScene } from './replace-scene.js';

it('lists the definitions that mention a person, in a dry run', async () => {
  const harness = await SyncHarness.start();
  try {
    const scene = await replaceScene(harness);
    const source = await harness.database(`
      CREATE TYPE contact AS ENUM ('nobody', 'jane.doe@mail.org');
      CREATE DOMAIN phone AS text DEFAULT '+420 777 123 456';
      CREATE TABLE t (id int PRIMARY KEY, owner text DEFAULT 'john.roe@mail.org', kind text CHECK (kind <> 'ann.poe@mail.org'), plain text DEFAULT 'none');
      COMMENT ON COLUMN t.plain IS 'ask Jim, jim.loe@mail.org';
      CREATE INDEX t_part ON t (id) WHERE owner = 'sue.noe@mail.org'; CREATE INDEX t_plain ON t (id) WHERE owner = 'x';
      CREATE VIEW v AS SELECT id FROM t WHERE owner = 'tom.moe@mail.org';
      CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$ SELECT 'lee.koe@mail.org' $$;
      CREATE FUNCTION plain() RETURNS text LANGUAGE sql AS $$ SELECT 'lee at home' $$;
      CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW WHEN (NEW.owner = 'kim.joe@mail.org') EXECUTE FUNCTION nothing();
      CREATE POLICY p ON t USING (owner = 'max.hoe@mail.org');
      CREATE RULE r AS ON DELETE TO t WHERE OLD.owner = 'eve.goe@mail.org' DO INSTEAD NOTHING`);
    const target = await harness.database();
    await target.query(`ALTER DATABASE ${target.name} OWNER TO ${scene.owner}`);
    const found: string[] = [];
    const onNames = (names: LocalNames) =>
      void (names.about === 'personal_definitions' && found.push(...names.objects));
    const outcome = await scene.replace({
      source,
      target,
      command: { dryRun: true },
      environment: { onNames },
    });
    expect(outcome.predicted?.failures).toEqual([]);
    expect(found.sort()).toEqual([
      ...['function public.f()', 'index public.t_part', 'policy p on public.t', 'rule r on public.t'],
      ...[
        'table column public.t.owner',
        'table column public.t.plain',
        'table constraint t_kind_check on public.t',
      ],
      ...['trigger g on public.t', 'type public.contact', 'type public.phone', 'view public.v'],
    ]);
    const warnings = outcome.predicted?.warnings ?? [];
    expect(warnings).toContainEqual({ code: 'personal_definitions', count: found.length });
  } finally {
    await harness.stop();
  }
});
