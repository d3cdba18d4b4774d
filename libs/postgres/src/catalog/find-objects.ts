import type { Client } from 'pg';

/** The address of a catalog object of any kind, from pg_identify_object_as_address. It is valid on any server. */
export interface ObjectAddress {
  readonly type: string;
  readonly names: readonly string[];
  readonly args: readonly string[];
}

/**
 * Returns those of `objects` that exist on the server. Call this function in a transaction. The function
 * changes only a setting, which the server resets at the end of the transaction.
 */
export async function findObjects<T extends ObjectAddress>(
  client: Client,
  objects: readonly T[],
): Promise<ReadonlySet<T>> {
  if (objects.length === 0) return new Set();
  const addresses = objects.map(({ type, names, args }) => ({ type, names, args }));
  await client.query("SELECT pg_catalog.set_config('understudy.objects', $1, true)", [
    JSON.stringify(addresses),
  ]);
  await client.query(PROBE);
  const { rows } = await client.query<{ found: number[] }>(
    "SELECT pg_catalog.current_setting('understudy.objects')::int[] AS found",
  );
  return new Set((rows[0]?.found ?? []).flatMap((i) => objects[i] ?? []));
}

/**
 * Searches for thousands of objects in one statement. pg_get_object_address accepts any kind of object, and raises an
 * error if the object does not exist.
 */
const PROBE = `
  DO LANGUAGE plpgsql $probe$
  DECLARE
    one record;
    found int[] := '{}';
  BEGIN
    FOR one IN
      SELECT (o.nr - 1)::int AS i, o.address ->> 'type' AS type,
             ARRAY(SELECT pg_catalog.jsonb_array_elements_text(o.address -> 'names')) AS names,
             ARRAY(SELECT pg_catalog.jsonb_array_elements_text(o.address -> 'args')) AS args
        FROM pg_catalog.jsonb_array_elements(pg_catalog.current_setting('understudy.objects')::jsonb)
             WITH ORDINALITY AS o (address, nr)
    LOOP
      BEGIN
        PERFORM pg_catalog.pg_get_object_address(one.type, one.names, one.args);
        found := found || one.i;
      EXCEPTION WHEN others THEN
        -- The object does not exist.
      END;
    END LOOP;
    PERFORM pg_catalog.set_config('understudy.objects', found::text, true);
  END $probe$
`;
