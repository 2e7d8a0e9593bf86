{{/* The environment of the container: docs/settings.md says what each variable means. */}}

{{- define "weir.env" -}}
{{ include "weir.ownEnv" . }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What the chart sets itself. */}}
{{- define "weir.ownEnv" -}}
{{ include "weir.env.listeners" . }}
{{ include "weir.env.config" . }}
{{ include "weir.env.store" . }}
{{- end -}}

{{- define "weir.env.listeners" -}}
- name: HOST
  value: {{ .Values.listenAddress | quote }}
- name: PORT
  value: {{ .Values.ports.http | quote }}
- name: DEBUG_PORT
  value: {{ .Values.ports.debug | quote }}
{{- if eq .Values.form "sidecar" }}
- name: GRPC_UDS
  value: {{ printf "%s/weir.sock" .Values.sidecar.socketDirectory }}
{{- else }}
- name: GRPC_HOST
  value: {{ .Values.listenAddress | quote }}
- name: GRPC_PORT
  value: {{ .Values.ports.grpc | quote }}
{{- end }}
{{- with .Values.grpc.tls }}
{{- if .enabled }}
- name: GRPC_SERVER_USE_TLS
  value: "true"
- name: GRPC_SERVER_TLS_CERT
  value: /etc/weir/grpc-tls/tls.crt
- name: GRPC_SERVER_TLS_KEY
  value: /etc/weir/grpc-tls/tls.key
{{- if .clientCertificates.required }}
- name: GRPC_CLIENT_TLS_CACERT
  value: {{ printf "/etc/weir/%s/%s" (ternary "grpc-client-ca" "grpc-tls" (ne .clientCertificates.caSecret "")) .clientCertificates.caKey }}
{{- with .clientCertificates.dnsName }}
- name: GRPC_CLIENT_TLS_SAN
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
- name: DRAIN_DELAY
  value: {{ printf "%ds" (int .Values.drain.delaySeconds) }}
- name: DRAIN_DEADLINE
  value: {{ printf "%ds" (int .Values.drain.deadlineSeconds) }}
{{- end -}}

{{- define "weir.env.config" -}}
- name: MERGE_DOMAIN_CONFIG
  value: {{ .Values.config.mergeDomains | quote }}
{{- if not .Values.config.xds.enabled }}
- name: RUNTIME_ROOT
  value: /etc/weir
- name: RUNTIME_APPDIRECTORY
  value: rules
{{- else }}
{{- with .Values.config.xds }}
- name: CONFIG_TYPE
  value: GRPC_XDS_SOTW
- name: CONFIG_GRPC_XDS_SERVER_URL
  value: {{ .serverUrl | quote }}
- name: CONFIG_GRPC_XDS_NODE_ID
  value: {{ .nodeId | default (include "weir.fullname" $) | quote }}
{{- with .nodeMetadata }}
{{- $pairs := list }}
{{- range $key, $value := . }}
{{- $pairs = append $pairs (printf "%s=%s" $key $value) }}
{{- end }}
- name: CONFIG_GRPC_XDS_NODE_METADATA
  value: {{ join "," $pairs | quote }}
{{- end }}
{{- if .tls.enabled }}
- name: CONFIG_GRPC_XDS_SERVER_USE_TLS
  value: "true"
- name: CONFIG_GRPC_XDS_SERVER_TLS_CACERT
  value: /etc/weir/xds-tls/ca.crt
{{- if .tls.clientCertificate }}
- name: CONFIG_GRPC_XDS_CLIENT_TLS_CERT
  value: /etc/weir/xds-tls/tls.crt
- name: CONFIG_GRPC_XDS_CLIENT_TLS_KEY
  value: /etc/weir/xds-tls/tls.key
{{- end }}
{{- with .tls.serverName }}
- name: CONFIG_GRPC_XDS_SERVER_TLS_SAN
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "weir.env.store" -}}
- name: BACKEND_TYPE
  value: {{ .Values.store }}
{{- if eq .Values.store "redis" }}
{{- with .Values.redis }}
- name: CACHE_KEY_PREFIX
  value: {{ .keyPrefix | default (printf "%s/%s:" $.Release.Namespace (include "weir.fullname" $)) | quote }}
{{ include "weir.env.redis" (dict "redis" . "variables" "REDIS" "folder" "redis") }}
{{- if .tls.enabled }}
- name: REDIS_TLS
  value: "true"
{{- if .tls.existingSecret }}
{{- with .tls.caKey }}
- name: REDIS_TLS_CACERT
  value: {{ printf "/etc/weir/redis-tls/%s" . }}
{{- end }}
{{- if .tls.clientCertificate }}
- name: REDIS_TLS_CLIENT_CERT
  value: /etc/weir/redis-tls/tls.crt
- name: REDIS_TLS_CLIENT_KEY
  value: /etc/weir/redis-tls/tls.key
{{- end }}
{{- end }}
{{- if .tls.skipHostnameVerification }}
- name: REDIS_TLS_SKIP_HOSTNAME_VERIFICATION
  value: "true"
{{- end }}
{{- end }}
{{- if .perSecond.enabled }}
- name: REDIS_PERSECOND
  value: "true"
{{ include "weir.env.redis" (dict "redis" .perSecond "variables" "REDIS_PERSECOND" "folder" "redis-per-second") }}
{{- if .tls.enabled }}
- name: REDIS_PERSECOND_TLS
  value: "true"
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* One Redis. Arguments: redis, the beginning of its variables, and of the folders of its secrets. */}}
{{- define "weir.env.redis" -}}
- name: {{ .variables }}_TYPE
  value: {{ upper .redis.type }}
- name: {{ .variables }}_URL
{{- if .redis.urlSecret.name }}
  valueFrom:
    secretKeyRef:
      {{- toYaml .redis.urlSecret | nindent 6 }}
{{- else }}
  value: {{ .redis.url | quote }}
{{- end }}
{{- if .redis.auth.existingSecret }}
- name: {{ .variables }}_AUTH_FILE
  value: /etc/weir/{{ .folder }}-auth/{{ .redis.auth.key }}
{{- with .redis.auth.sentinelKey }}
- name: {{ $.variables }}_SENTINEL_AUTH_FILE
  value: /etc/weir/{{ $.folder }}-auth/{{ . }}
{{- end }}
{{- end }}
{{- end -}}
