/** Stores every route, to distinguish an unknown path from an unsupported method. */
export class RouteTable {
  private readonly routes: { readonly methods: readonly string[]; readonly pattern: RegExp }[] = [];

  /** @param url a route in Fastify's notation, such as `/v1/sync/jobs/:id` or `/ops/*` */
  add(methods: readonly string[], url: string): void {
    this.routes.push({ methods, pattern: compile(url) });
  }

  /** @returns the sorted methods of a path, or an empty array for an unknown path */
  methodsOf(path: string): string[] {
    const found = this.routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(found)].sort();
  }
}

function compile(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    if (segment === '*') return '.*';
    return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
