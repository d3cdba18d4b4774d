import { keyOf } from './lost-fields.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Where an API is, and the token of an owner. */
export interface ApiAccess {
  readonly baseUrl: string;
  readonly token: string;
}

/** Reads only what the organisation owns. The models of the product change with each release. */
const QUERIES: Readonly<Record<string, string>> = { '/models': 'type=custom&' };
/** The description of the API, which has no rows of the organisation. */
const DESCRIPTION = '/openapi.json';

interface Operation {
  readonly parameters?: readonly { readonly name?: string }[];
}

/**
 * Sends every GET request that the API's description contains. It takes the ids in paths from the lists.
 * @param description the OpenAPI document of the older release
 * @returns the data of each answer by the path of the request. Each control plane has the same address in it
 * @throws Error if a response is no success, or if there is no id for a path
 */
export async function readEverything(
  api: ApiAccess,
  description: JsonObject,
): Promise<ReadonlyMap<string, unknown>> {
  const seen = new Map<string, unknown>();
  for (const { template, hasPages } of readsOf(description)) {
    const paths = expand(template, seen);
    if (paths.length === 0) throw new Error(`expected an object for ${template}, found none`);
    for (const path of paths) seen.set(path, await (hasPages ? readPages(api, path) : read(api, path)));
  }
  return seen;
}

interface Read {
  /** The path with its parameters, such as `/tokens/{id}`. */
  readonly template: string;
  readonly hasPages: boolean;
}

/** Returns the GET requests with short paths first, and lists before their items. */
function readsOf({ paths }: JsonObject): readonly Read[] {
  const rank = ({ template }: Read) => 2 * template.split('/').length + Number(template.endsWith('}'));
  return Object.entries(paths as Readonly<Record<string, { readonly get?: Operation }>>)
    .flatMap(([template, { get }]) =>
      get === undefined || template === DESCRIPTION
        ? []
        : [{ template, hasPages: get.parameters?.some(({ name }) => name === 'per_page') === true }],
    )
    .sort((one, other) => rank(one) - rank(other));
}

/** Replaces each parameter by the ids of the list before it, or of the lists with the same name. */
function expand(template: string, seen: ReadonlyMap<string, unknown>): readonly string[] {
  return template
    .split('/')
    .slice(1)
    .reduce<readonly string[]>(
      (paths, part) =>
        paths.flatMap((path) =>
          part.startsWith('{') ? idsIn(path, seen).map((id) => `${path}/${id}`) : [`${path}/${part}`],
        ),
      [''],
    );
}

function idsIn(path: string, seen: ReadonlyMap<string, unknown>): readonly string[] {
  const end = path.slice(path.lastIndexOf('/'));
  const lists = seen.has(path) ? [path] : [...seen.keys()].filter((list) => list.endsWith(end));
  return lists
    .flatMap((list) => itemsOf(seen.get(list)))
    .map((item) => encodeURIComponent(keyOf(item) ?? '')); // without an id, the request fails
}

function itemsOf(data: unknown): readonly JsonObject[] {
  return Object.values(data as JsonObject).find(Array.isArray) ?? [];
}

/** Reads all pages of a list. */
async function readPages(api: ApiAccess, path: string): Promise<unknown> {
  const items: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const data = (await read(api, path, `${QUERIES[path] ?? ''}per_page=100&page=${page}`)) as JsonObject;
    const found = itemsOf(data);
    items.push(...found);
    if (found.length === 0 || items.length >= Number(data['total'])) return { items };
  }
}

async function read({ baseUrl, token }: ApiAccess, path: string, query = ''): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw new Error(`GET ${path}: expected success, got status ${response.status}`);
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    return Buffer.from(await response.arrayBuffer()).toString('base64');
  const text = (await response.text()).replaceAll(new URL(baseUrl).origin, 'http://control-plane');
  return (JSON.parse(text) as { readonly data: unknown }).data;
}
