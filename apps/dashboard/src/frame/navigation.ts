import type { LinkProps } from '@tanstack/react-router';
import {
  ArrowRightLeft,
  Blocks,
  Camera,
  FlaskConical,
  Gauge,
  KeyRound,
  LayoutDashboard,
  ScrollText,
  Server,
  Shapes,
  Waypoints,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';

import type { Permission } from '../session/session.js';
import { APP_TEXTS } from './texts.js';

/** A link to a screen. It is shown to a session that may use the screen. */
export interface NavigationEntry {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon: LucideIcon;
  readonly needs: Permission;
}

export interface NavigationGroup {
  /** Absent for the first group. */
  readonly label?: string;
  readonly entries: readonly NavigationEntry[];
}

const { navigation: TEXTS } = APP_TEXTS;
const viewer = (scope: string): Permission => ({ role: 'viewer', scope });
const admin = (scope: string): Permission => ({ role: 'admin', scope });

/** All screens of the navigation. A screen has an entry when it is complete. Empty groups are not shown. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    entries: [{ label: TEXTS.overview, to: '/', icon: LayoutDashboard, needs: { role: 'viewer' } }],
  },
  {
    label: TEXTS.data,
    entries: [
      { label: TEXTS.syncJobs, to: '/sync-jobs', icon: ArrowRightLeft, needs: viewer('jobs:read') },
      { label: TEXTS.snapshots, to: '/snapshots', icon: Camera, needs: viewer('snapshots:read') },
      { label: TEXTS.agents, to: '/agents', icon: Server, needs: viewer('agents:read') },
    ],
  },
  {
    label: TEXTS.generate,
    entries: [
      { label: TEXTS.playground, to: '/playground', icon: FlaskConical, needs: viewer('generate') },
      { label: TEXTS.generators, to: '/generators', icon: Blocks, needs: viewer('generators:read') },
      { label: TEXTS.models, to: '/models', icon: Shapes, needs: viewer('models:read') },
      { label: TEXTS.mockEndpoints, to: '/mock-endpoints', icon: Waypoints, needs: viewer('endpoints:read') },
    ],
  },
  {
    label: TEXTS.settings,
    entries: [
      { label: TEXTS.apiKeys, to: '/api-keys', icon: KeyRound, needs: admin('tokens:read') },
      { label: TEXTS.members, to: '/members', icon: Users, needs: viewer('org:read') },
      { label: TEXTS.webhooks, to: '/webhooks', icon: Webhook, needs: admin('webhooks:read') },
      { label: TEXTS.auditLog, to: '/audit-log', icon: ScrollText, needs: admin('audit:read') },
      { label: TEXTS.usage, to: '/usage', icon: Gauge, needs: viewer('org:read') },
    ],
  },
];
