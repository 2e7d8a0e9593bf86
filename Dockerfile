# The same Node as in development: the node-* packages of package.json. A test compares the two.
ARG NODE_VERSION=26.10.0

# Everything that is compiled. The node-* packages are optional dependencies, and are not needed where Node is.
FROM node:${NODE_VERSION}-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=optional --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build

# The libraries that run.
FROM node:${NODE_VERSION}-slim AS libraries
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

# What the image adds to Node's, as a tree. /bin is a link to /usr/bin, so /bin/ratelimit and /bin/weir exist as well.
FROM node:${NODE_VERSION}-slim AS tree
WORKDIR /tree/opt/weir
COPY package.json LICENSE ./
COPY bin bin
COPY proto proto
COPY --from=libraries /build/node_modules node_modules
COPY --from=build /build/dist dist
RUN mkdir -p /tree/usr/bin \
 && ln -s /opt/weir/bin/weir.js /tree/usr/bin/weir \
 && ln -s /opt/weir/bin/ratelimit.js /tree/usr/bin/ratelimit

# Nothing below is run by a shell, and nothing is written: a read-only root file system is fine.
FROM node:${NODE_VERSION}-slim
COPY --from=tree /tree/ /
ENV NODE_ENV=production
USER 65534:65534
EXPOSE 8080 8081 6070
# Each check starts a Node of its own, so they are not frequent; orchestrators ask /readyz themselves.
HEALTHCHECK --interval=15s --timeout=3s --start-period=15s CMD ["/bin/weir", "health"]
ENTRYPOINT ["/bin/ratelimit"]
