import { type Client, quoteIdentifier } from '@understudy/postgres';
import { MAY_NOT_CREATE, POWERFUL_ROLES } from './object-privileges.sql.js';
import { keyOf, type OwnedObject, runEach, type Statements } from './object-privileges.js';

/**
 * Gives the objects of a new database the owners that the objects of the same names have on the source. An object keeps
 * its owner if its role cannot get it, or if that role can become a superuser: it would run code of the source.
 * @param ofSource the objects of the source; those that the new database does not have are left out
 * @returns the errors of the objects that kept their owner
 */
export async function giveOwners(
  client: Client,
  { ofSource, created }: Readonly<Record<'ofSource' | 'created', readonly OwnedObject[]>>,
): Promise<readonly unknown[]> {
  const owners = new Map(created.map((object) => [keyOf(object), object.owner]));
  const wanted = ofSource.filter((object) => {
    const present = owners.get(keyOf(object));
    return present !== undefined && present !== object.owner;
  });
  const roles = [...new Set(wanted.map(({ owner }) => owner))];
  const powerful = await client.query<{ name: string }>(POWERFUL_ROLES, [roles]);
  const refused = new Set(powerful.rows.map(({ name }) => name));
  const objects = wanted.filter(({ owner }) => !refused.has(owner));
  const kept = wanted
    .filter(({ owner }) => refused.has(owner))
    .map((object) => new Error(`${object.owner}, the owner of ${keyOf(object)}, is too powerful`));
  const isSchema = ({ kind }: OwnedObject) => kind === 'SCHEMA';
  const ofSchemas = await runEach(client, objects.filter(isSchema).map(owning));
  const others = objects.filter((object) => !isSchema(object));
  const { rows } = await client.query<{ schema: string; role: string }>(MAY_NOT_CREATE, [
    others.map(({ schema }) => schema),
    others.map(({ owner }) => owner),
  ]);
  const lacking = new Set(rows.map(({ schema, role }) => JSON.stringify([schema, role])));
  const ofOthers = await runEach(
    client,
    others.map((object) => {
      const { schema, owner } = object;
      if (schema === null || !lacking.has(JSON.stringify([schema, owner]))) return owning(object);
      // The server gives an object only to a role that may create objects in its schema.
      const on = `CREATE ON SCHEMA ${quoteIdentifier(schema)}`;
      const role = quoteIdentifier(owner);
      return [`GRANT ${on} TO ${role}; ${owning(object).join()}; REVOKE ${on} FROM ${role}`];
    }),
  );
  return [...kept, ...ofSchemas, ...ofOthers];
}

function owning(object: OwnedObject): Statements {
  return [`ALTER ${keyOf(object)} OWNER TO ${quoteIdentifier(object.owner)}`];
}
