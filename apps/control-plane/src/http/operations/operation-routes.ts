import type { Operation } from './operation.js';

/** Joins routes to the rows of the table while the application starts; each must find the other. */
export class OperationRoutes {
  private readonly missing: Map<string, Operation>;

  constructor(private readonly operations: readonly Operation[]) {
    this.missing = new Map(operations.map((operation) => [operation.id, operation]));
  }

  /**
   * @param methods of one route; Fastify adds HEAD to what it GETs
   * @returns undefined for a route outside `/v1`
   * @throws Error for a route of `/v1` that the table does not have
   */
  join(methods: readonly string[], path: string): Operation | undefined {
    if (!isApiPath(path)) return undefined;
    const method = methods.find((name) => name !== 'HEAD') ?? 'GET';
    const found = this.operations.find((row) => row.method === method && row.path === path);
    if (!found || methods.some((name) => name !== 'HEAD' && name !== method))
      throw new Error(`${methods.join(', ')} ${path} is not in the table of operations`);
    this.missing.delete(found.id);
    return found;
  }

  /** @throws Error when rows of the table have no route */
  assertComplete(): void {
    const ids = [...this.missing.keys()];
    if (ids.length > 0) throw new Error(`operations without a route: ${ids.join(', ')}`);
  }
}

/** The version's prefix makes the API; probes, metrics and the ops page are outside. */
export function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}
