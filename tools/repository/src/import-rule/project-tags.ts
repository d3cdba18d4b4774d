import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A project of the workspace with its two Nx tags. */
export interface TaggedProject {
  /** The path from the root of the repository, for example `libs/random`. */
  readonly folder: string;
  readonly layer: string;
  readonly zone: string;
}

/**
 * Reads the tags `layer:` and `zone:` of each project in apps/, clients/, libs/ and tools/.
 * @throws Error if a project lacks one of them
 */
export function readProjectTags(root: string): readonly TaggedProject[] {
  return ['apps', 'clients', 'libs', 'tools'].flatMap((group) => {
    if (!existsSync(join(root, group))) return [];
    return readdirSync(join(root, group))
      .filter((name) => existsSync(join(root, group, name, 'package.json')))
      .map((name) => readProject(root, `${group}/${name}`));
  });
}

function readProject(root: string, folder: string): TaggedProject {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    nx?: { tags?: string[] };
  };
  const tag = (kind: string): string => {
    const found = manifest.nx?.tags?.find((text) => text.startsWith(`${kind}:`));
    if (found === undefined)
      throw new Error(`${folder}/package.json: expected an Nx tag "${kind}:…", found none`);
    return found.slice(kind.length + 1);
  };
  return { folder, layer: tag('layer'), zone: tag('zone') };
}
