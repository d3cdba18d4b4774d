import type { Operation } from './operation.js';

/**
 * Finds the operation of each route while the application starts. Every operation needs a route, and every
 * route of `/v1` needs an operation.
 */
export class OperationRoutes {
  private readonly missing: Map<string, Operation>;

  constructor(private readonly operations: readonly Operation[]) {
    this.missing = new Map(operations.map((operation) => [operation.id, operation]));
  }

  /**
   * Returns the operation of a route.
   * @param methods the methods of the route; Fastify adds HEAD to every GET route
   * @returns undefined for a route outside `/v1`
   * @throws Error for a route of `/v1` that the table does not contain
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

  /** @throws Error if rows of the table have no route */
  assertComplete(): void {
    const ids = [...this.missing.keys()];
    if (ids.length > 0) throw new Error(`operations without a route: ${ids.join(', ')}`);
  }
}

/** Returns whether a path belongs to the API. Probes, metrics and the ops page are outside `/v1`. */
export function isApiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/');
}
