import { join } from 'node:path';

import { run } from '../run-program.js';

/** The programs that build images, in the order of preference. The first one that is installed is used. */
const BUILDERS = {
  // The format of Docker contains the health check, which the format of OCI lacks.
  buildah: ['build', '--format', 'docker'],
  podman: ['build', '--format', 'docker'],
  docker: ['build'],
} as const;

/** The programs that have an image. */
export const IMAGES = ['agent', 'control-plane'] as const;
export type ImageName = (typeof IMAGES)[number];

/** The image on which the images are built, and the digest that decides which one it is. */
export interface BaseImage {
  /** A name with a tag, such as `docker.io/library/node:24-bookworm-slim`. */
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

/**
 * Builds the images of a release.
 * @param root the checkout, which contains the Dockerfiles
 * @param release its folder is the context of the build
 * @returns the names of the images, such as `understudy/agent:0.1.0`
 * @throws Error if no builder is installed, or a build fails
 */
export async function buildImages(
  root: string,
  release: { readonly folder: string; readonly version: string },
  base: BaseImage,
  log: (line: string) => void,
): Promise<readonly string[]> {
  const builder = await findBuilder();
  const images: string[] = [];
  for (const name of IMAGES) {
    const image = imageName(name, release.version);
    log(`building ${image} with ${builder}`);
    await run(builder, [
      ...BUILDERS[builder],
      ...['--file', join(root, `deploy/docker/${name}.Dockerfile`)],
      ...['--build-arg', `BASE_IMAGE=${pinned(base)}`],
      ...['--label', `org.opencontainers.image.version=${release.version}`],
      ...['--label', `org.opencontainers.image.base.name=${base.name}`],
      ...['--label', `org.opencontainers.image.base.digest=${base.digest}`],
      ...['--tag', image, release.folder],
    ]);
    images.push(image);
  }
  return images;
}

export function imageName(name: ImageName, version: string): string {
  return `understudy/${name}:${version}`;
}

/** Returns the reference by digest only, because podman and buildah do not accept a tag beside a digest. */
export function pinned({ name, digest }: BaseImage): string {
  return `${name.replace(/:[^:/]+$/, '')}@${digest}`;
}

async function findBuilder(): Promise<keyof typeof BUILDERS> {
  for (const name of Object.keys(BUILDERS) as (keyof typeof BUILDERS)[]) {
    const isInstalled = await run(name, ['--version']).then(
      () => true,
      () => false, // the program does not exist
    );
    if (isInstalled) return name;
  }
  throw new Error(`expected one of ${Object.keys(BUILDERS).join(', ')} to build images, found none`);
}
