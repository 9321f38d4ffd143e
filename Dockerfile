# The worker, for docker-compose.yml and clusters. `longhaul` is in its PATH too.
ARG NODE_IMAGE=node:20-bookworm-slim@sha256:2cf067cfed83d5ea958367df9f966191a942351a2df77d6f0193e162b5febfc0
FROM ${NODE_IMAGE} AS build
WORKDIR /opt/longhaul
COPY package.json package-lock.json ./
# Without the GPU parts that onnxruntime-node would fetch.
RUN ONNXRUNTIME_NODE_INSTALL=skip npm ci --include=dev --no-audit --no-fund
COPY . .
RUN node bin/build.mjs && npm prune --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  && ln -s /opt/longhaul/bin/longhaul.cjs /usr/local/bin/longhaul \
  && mkdir /data /projects \
  && chown node:node /data /projects
COPY --from=build /opt/longhaul /opt/longhaul
# Not root; it reaches Docker through a proxy (docker-proxy in docker-compose.yml).
USER node
ENV NODE_ENV=production LONGHAUL_HOME=/data
WORKDIR /projects
VOLUME ["/data", "/projects"]
HEALTHCHECK --interval=30s --timeout=20s --start-period=60s CMD ["node", "/opt/longhaul/dist/setup/cluster/check-worker.js"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "/opt/longhaul/dist/workers/main.js", "--env-file"]
