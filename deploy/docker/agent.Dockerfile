# The agent. The build context is the folder of a release, and deploy/docker/README.md has the command.
ARG BASE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${BASE_IMAGE} AS install
COPY understudy-agent-*.tgz /understudy-agent.tgz
# The file contains all packages, so nothing is downloaded and no script runs.
RUN npm install --global --prefix /opt/understudy --offline --ignore-scripts --no-audit --no-fund /understudy-agent.tgz

FROM ${BASE_IMAGE}
# pg_dump and pg_restore. Their version must be that of the source's server or newer.
ARG POSTGRESQL_CLIENT=postgresql-client-15
RUN apt-get update \
  && apt-get install -y --no-install-recommends ${POSTGRESQL_CLIENT} \
  && rm -rf /var/lib/apt/lists/*
COPY --from=install /opt/understudy /opt/understudy
RUN ln -s /opt/understudy/bin/understudy-agent /usr/local/bin/understudy-agent \
  && install -d -o 65532 -g 65532 -m 0700 /var/lib/understudy-agent
ENV NODE_ENV=production
ENV UNDERSTUDY_AGENT_STATE_DIR=/var/lib/understudy-agent
VOLUME /var/lib/understudy-agent
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 CMD ["understudy-agent", "status"]
ENTRYPOINT ["understudy-agent"]
CMD ["start"]
