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

# All that the image holds, as a tree. It is made of nothing: what is not copied here is not there, no shell, no package
# manager and no other program. A test runs the commands of this stage, and Weir on what they make.
FROM node:${NODE_VERSION}-slim AS tree
WORKDIR /tree/opt/weir
COPY package.json LICENSE ./
COPY bin bin
COPY proto proto
COPY --from=libraries /build/node_modules node_modules
COPY --from=build /build/dist dist
# /bin/ratelimit is what Istio and Envoy Gateway start. There is no env, so that the programs name their interpreter.
RUN mkdir -p /tree/usr/bin \
 && ln -s usr/bin /tree/bin \
 && ln -s /opt/weir/bin/weir.js /tree/usr/bin/weir \
 && ln -s /opt/weir/bin/ratelimit.js /tree/usr/bin/ratelimit \
 && sed -i '1s|^#!.*|#!/usr/local/bin/node|' /tree/opt/weir/bin/*.js
# Node, and exactly the shared libraries that it is linked with, at the paths where its loader looks for them. Their paths
# are words, one for each: SC2046 would have them be one.
# hadolint ignore=SC2046
RUN mkdir -p /tree/usr/local/bin \
 && cp "$(command -v node)" /tree/usr/local/bin/node \
 && ldd /tree/usr/local/bin/node > /tree/libraries \
 && ! grep 'not found' /tree/libraries \
 && cp --dereference --parents $(grep -o '/[^ ]*' /tree/libraries) /tree \
 && rm /tree/libraries
# How names are looked up (in glibc itself, since 2.34), whom 65534 is, and a place for profiles. Node brings its own list
# of certificate authorities.
RUN mkdir -p /tree/etc \
 && mkdir -m 1777 /tree/tmp \
 && echo 'hosts: files dns' > /tree/etc/nsswitch.conf \
 && echo 'nobody:x:65534:65534:nobody:/:/none' > /tree/etc/passwd \
 && echo 'nobody:x:65534:' > /tree/etc/group
# What would fail in the image fails here.
RUN chroot /tree /bin/weir --version

# Nothing below is run by a shell, and nothing is written: a read-only root file system is fine.
FROM scratch
COPY --from=tree /tree/ /
ENV NODE_ENV=production PATH=/usr/local/bin:/usr/bin
USER 65534:65534
EXPOSE 8080 8081 6070
# Each check starts a Node of its own, so they are not frequent; orchestrators ask /readyz themselves.
HEALTHCHECK --interval=15s --timeout=3s --start-period=15s CMD ["/bin/weir", "health"]
ENTRYPOINT ["/bin/ratelimit"]
