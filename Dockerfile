# The worker, for docker-compose.yml and clusters. `longhaul` is in its PATH too.
FROM node:20-bookworm-slim AS build
WORKDIR /opt/longhaul
COPY package.json package-lock.json ./
# Without the GPU parts that onnxruntime-node would fetch.
RUN ONNXRUNTIME_NODE_INSTALL=skip npm ci --include=dev --no-audit --no-fund
COPY . .
RUN node bin/build.mjs && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/* \
  && ln -s /opt/longhaul/bin/longhaul.cjs /usr/local/bin/longhaul \
  && mkdir /data /projects \
  && chown node:node /data /projects
COPY --from=build /opt/longhaul /opt/longhaul
# Not root: the host's Docker socket is opened to it by the group that owns the socket (group_add in docker-compose.yml).
USER node
ENV NODE_ENV=production LONGHAUL_HOME=/data
WORKDIR /projects
VOLUME ["/data", "/projects"]
HEALTHCHECK --interval=30s --timeout=20s --start-period=60s CMD ["node", "/opt/longhaul/dist/setup/cluster/check-worker.js"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "/opt/longhaul/dist/workers/main.js", "--env-file"]
