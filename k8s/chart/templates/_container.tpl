{{/*
The container, as an item of a pod's list: of `containers` in the Deployment, and of `initContainers` in a pod of another
chart (form sidecar), where `restartPolicy: Always` makes it start before the other containers and end after them.
*/}}
{{- define "weir.container" -}}
{{- include "weir.checks" . -}}
- name: weir
  image: {{ include "weir.image" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  {{- if eq .Values.form "sidecar" }}
  restartPolicy: Always
  {{- end }}
  env:
    {{- include "weir.env" . | nindent 4 }}
  {{- with .Values.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    {{- if eq .Values.form "service" }}
    - name: grpc
      containerPort: {{ .Values.ports.grpc }}
    {{- end }}
    - name: {{ include "weir.httpPortName" . }}
      containerPort: {{ .Values.ports.http }}
  {{- include "weir.probes" . | nindent 2 }}
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities:
      drop: [ALL]
  resources:
    {{- toYaml .Values.resources | nindent 4 }}
  {{- with include "weir.volumeMounts" . | trim }}
  volumeMounts:
    {{- . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Port names are unique in a pod, and the workload beside a sidecar may have an http of its own. */}}
{{- define "weir.httpPortName" -}}
{{- ternary "weir-http" "http" (eq .Values.form "sidecar") -}}
{{- end -}}

{{/*
Readiness asks the port that callers use. The kubelet's gRPC probes know neither TLS nor unix sockets, so there it is
/readyz, which says the same. Liveness never looks at Redis or rules: a restart mends neither. Both are patient, since to
take a pod out that has too much to do gives the others more; one that stops is taken out without any probe.
*/}}
{{- define "weir.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: {{ include "weir.httpPortName" . }} }
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /livez, port: {{ include "weir.httpPortName" . }} }
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
  {{- if or .Values.grpc.tls.enabled (eq .Values.form "sidecar") }}
  httpGet: { path: /readyz, port: {{ include "weir.httpPortName" . }} }
  {{- else }}
  grpc: { port: {{ .Values.ports.grpc }} }
  {{- end }}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 5
{{- end -}}

{{/* 65534 is the image's user. With it as the group of volumes, secrets need not be readable for everybody. */}}
{{- define "weir.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65534
runAsGroup: 65534
fsGroup: 65534
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}
