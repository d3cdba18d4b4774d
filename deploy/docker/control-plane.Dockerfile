# The control plane. The build context is the folder of a release, and deploy/docker/README.md has the command.
ARG BASE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${BASE_IMAGE} AS install
COPY understudy-control-plane-*.tgz /understudy-control-plane.tgz
# The file contains all packages, so nothing is downloaded and no script runs.
RUN npm install --global --prefix /opt/understudy --offline --ignore-scripts --no-audit --no-fund /understudy-control-plane.tgz

FROM ${BASE_IMAGE}
COPY --from=install /opt/understudy /opt/understudy
# docker-compose.yml mounts volumes at the folders. A new volume gets the owner of its folder.
RUN ln -s /opt/understudy/bin/understudy-control-plane /usr/local/bin/understudy-control-plane \
  && install -d -o 65532 -g 65532 -m 0700 /bootstrap /data /enrolment /nats
ENV NODE_ENV=production
ENV UNDERSTUDY_HOST=0.0.0.0
ENV UNDERSTUDY_PORT=8080
EXPOSE 8080
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.UNDERSTUDY_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["understudy-control-plane"]
CMD ["start"]
