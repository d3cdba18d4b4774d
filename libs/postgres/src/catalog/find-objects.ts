import type { Client } from 'pg';
import { UNTRUSTED_OBJECTS } from './statements/untrusted-objects.sql.js';

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
  await client.query("SELECT pg_catalog.set_config('understudy.objects', $1, true)", [
    JSON.stringify(addressesOf(objects)),
  ]);
  await client.query(PROBE);
  const { rows } = await client.query<{ found: number[] }>(
    "SELECT pg_catalog.current_setting('understudy.objects')::int[] AS found",
  );
  return new Set((rows[0]?.found ?? []).flatMap((i) => objects[i] ?? []));
}

/** An object of the server that another role could have planted. */
export interface UntrustedObject<T> {
  readonly object: T;
  /** The catalog that contains the object, such as `pg_type`. */
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
  /** The object as text for a log. */
  readonly text: string;
}

/**
 * Returns those of `objects` that another role could have planted.
 * @param objects objects that exist; see {@link findObjects}
 */
export async function untrustedObjects<T extends ObjectAddress>(
  client: Client,
  objects: readonly T[],
): Promise<readonly UntrustedObject<T>[]> {
  if (objects.length === 0) return [];
  const { rows } = await client.query<{ i: number } & Omit<UntrustedObject<T>, 'object'>>(UNTRUSTED_OBJECTS, [
    JSON.stringify(addressesOf(objects)),
  ]);
  return rows.flatMap(({ i, ...row }) => {
    const object = objects[i];
    return object === undefined ? [] : [{ ...row, object }];
  });
}

function addressesOf(objects: readonly ObjectAddress[]): readonly ObjectAddress[] {
  return objects.map(({ type, names, args }) => ({ type, names, args }));
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
