import type { TaggedProject } from './project-tags.js';

/** A property of an import, or of the module that it leads to. */
export type ImportKind = 'node module' | 'undeclared package' | 'part of a cycle' | 'unresolved';

/** Regular expressions. A path matches if `path` matches and `pathNot` does not. */
interface PathPatterns {
  readonly path?: string;
  readonly pathNot?: string;
}

/** Forbids an import if both ends match. In `to`, `$1` is the first group that `from.path` has captured. */
export interface ImportRule {
  readonly name: string;
  readonly comment: string;
  readonly from: PathPatterns;
  readonly to: PathPatterns & { readonly kind?: ImportKind };
}

const TESTS = '(\\.spec\\.ts$|/test/)';
/**
 * The only folders that may use NATS and protobuf: the two ends of the agent link, the libraries of the link,
 * and the tools. Other code of the two programs uses the messages of `libs/agent-protocol`, which have no protobuf.
 */
const WIRE_EDGES =
  '^(apps/control-plane/src/agents/agent-link|apps/agent/src/(link|work|journal)|libs/(agent-protocol|connection-fault|outbound|testing)|tools)/';

/** Entries of pure libraries for programs that run on Node. They may import `node:*`. */
const NODE_ENTRIES = '^libs/builtin-models/src/node-assets\\.ts$';

/** npm packages that pure libraries may import: plain functions, tables and types, for Node and for browsers. */
const PURE_PACKAGES = '^node_modules/(any-ascii|jsonc-parser|typebox)/';

const anyOf = (...patterns: readonly string[]): string => patterns.join('|');

/** Returns the rules of the section "Import rule" in ARCHITECTURE.md, derived from the projects' tags. */
export function importRules(projects: readonly TaggedProject[]): readonly ImportRule[] {
  const folders = (which: (project: TaggedProject) => boolean): string =>
    `^(${
      projects
        .filter(which)
        .map((project) => project.folder)
        .join('|') || 'none'
    })/`;
  const zoneRule = (zone: TaggedProject['zone'], comment: string): ImportRule => ({
    name: `${zone}-zone`,
    comment,
    from: { path: folders((project) => project.zone === zone), pathNot: TESTS },
    to: { path: folders((project) => project.zone !== zone && project.zone !== 'shared') },
  });
  const pure = folders((project) => project.layer === 'pure');
  return [
    {
      name: 'pure-imports-pure',
      comment:
        'A pure library imports only pure libraries and the packages in PURE_PACKAGES. It imports no node:* module.',
      from: { path: pure, pathNot: anyOf(TESTS, NODE_ENTRIES) },
      to: { pathNot: anyOf(pure, PURE_PACKAGES) },
    },
    {
      name: 'node-entries',
      comment: 'Code that may run in a browser does not import the entry of a library for Node.',
      from: {
        path: folders(({ layer, zone }) => layer === 'pure' || zone === 'browser'),
        pathNot: anyOf(TESTS, NODE_ENTRIES),
      },
      to: { path: NODE_ENTRIES },
    },
    {
      name: 'apps-stand-alone',
      comment: 'An app does not import another app.',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    zoneRule(
      'control',
      'The control plane imports only control and shared projects. So it has no code that reads rows.',
    ),
    zoneRule('agent', 'The agent imports only agent and shared projects.'),
    zoneRule('shared', 'A shared project imports only shared projects.'),
    zoneRule('browser', 'Code for browsers imports only browser and shared projects.'),
    {
      name: 'browser-without-node',
      comment: 'Code for browsers does not import a module of Node.',
      from: {
        path: folders((project) => project.zone === 'browser'),
        pathNot: anyOf(TESTS, 'vite\\.config\\.ts$'),
      },
      to: { kind: 'node module' },
    },
    {
      name: 'wire-edges',
      comment:
        'Only agent-link, and link, work and journal of the agent, use NATS, protobuf and the generated schema.',
      from: { path: '^(apps|libs|tools)/', pathNot: anyOf(WIRE_EDGES, TESTS) },
      to: {
        path: '(^libs/agent-protocol/src/(schema|generated|transport)/|node_modules/(@nats-io|@bufbuild/protobuf)/)',
      },
    },
    {
      name: 'job-queue-edge',
      comment: 'Only job-queue knows BullMQ.',
      from: {
        path: '^(apps|libs)/',
        pathNot: anyOf('^apps/control-plane/src/platform/job-queue/', '^libs/testing/', TESTS),
      },
      to: { path: 'node_modules/(bullmq|@bull-board/[^/]+|@nestjs/bullmq)/' },
    },
    {
      name: 'redis-edge',
      comment: 'In the control plane, only job-queue and rate-limits use Redis.',
      from: {
        path: '^(apps|libs)/',
        pathNot: anyOf(
          '^apps/control-plane/src/platform/(job-queue|http/rate-limits)/',
          '^libs/(local-system|testing)/',
          TESTS,
        ),
      },
      to: { path: 'node_modules/(ioredis|rate-limiter-flexible)/' },
    },
    {
      name: 'postgres-edge',
      comment: 'In the code that reads rows, only libs/postgres uses pg.',
      from: {
        path: '^(apps/(agent|cli)|libs)/',
        pathNot: anyOf('^libs/(local-system|postgres|testing)/', TESTS),
      },
      to: { path: 'node_modules/(pg|pg-copy-streams)/' },
    },
    {
      name: 'bucket-edge',
      comment: 'Only the bucket storage of snapshot-store uses the AWS SDK.',
      from: { path: '^(apps|libs)/', pathNot: anyOf('^libs/snapshot-store/src/storage/bucket/', TESTS) },
      to: { path: 'node_modules/@aws-sdk/' },
    },
    {
      name: 'sealing-edge',
      comment: 'Only the encryption of snapshot-store uses libsodium.',
      from: { path: '^(apps|libs)/', pathNot: anyOf('^libs/snapshot-store/src/sealing/', TESTS) },
      to: { path: 'node_modules/sodium-native/' },
    },
    {
      name: 'entities-stay-home',
      comment: 'A feature uses another through its module and service, but not through its entities.',
      from: {
        path: '^apps/control-plane/src/((?:accounts|agents|data|jobs|platform)/[^/]+|[^/]+)/',
        pathNot: anyOf('^apps/control-plane/src/platform/persistence/', TESTS),
      },
      to: { path: '^apps/control-plane/src/.*\\.entity\\.ts$', pathNot: '^apps/control-plane/src/$1/' },
    },
    {
      name: 'libraries-without-tools',
      comment: 'A library does not import a tool, not even in its tests.',
      from: { path: '^libs/' },
      to: { path: '^tools/' },
    },
    {
      name: 'tests-stay-tests',
      comment: 'Production code imports no test code.',
      from: { path: '^(apps|clients|libs)/', pathNot: anyOf(TESTS, '^libs/testing/') },
      to: { path: anyOf('^libs/testing/', TESTS) },
    },
    {
      name: 'declared-packages',
      comment: 'A project declares each package that it uses.',
      from: { path: '^(apps|clients|libs|tools)/[^/]+/src/', pathNot: TESTS },
      to: { kind: 'undeclared package' },
    },
    {
      name: 'no-cycles',
      comment: 'Imports form no cycle.',
      from: { pathNot: TESTS },
      to: { kind: 'part of a cycle' },
    },
    {
      name: 'resolvable',
      comment: 'Every import can be resolved.',
      from: {},
      to: { kind: 'unresolved' },
    },
  ];
}
