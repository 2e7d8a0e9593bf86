{{/*
Volumes of the pod, and where the container has them. All are whole directories: a mount with subPath never sees an update.
The mode 0440 with the pod's fsGroup lets Weir read secrets, and nobody else.
*/}}

{{- define "weir.volumes" -}}
{{- with include "weir.rulesConfigMap" . }}
- name: weir-rules
  configMap:
    name: {{ . }}
{{- end }}
{{- if eq .Values.form "sidecar" }}
- name: weir-socket
  emptyDir: {}
{{- end }}
{{- range include "weir.secrets" . | fromYamlArray }}
- name: weir-{{ .folder }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "weir.volumeMounts" -}}
{{- if include "weir.rulesConfigMap" . }}
- name: weir-rules
  mountPath: /etc/weir/rules
  readOnly: true
{{- end }}
{{- if eq .Values.form "sidecar" }}
- name: weir-socket
  mountPath: {{ .Values.sidecar.socketDirectory }}
{{- end }}
{{- range include "weir.secrets" . | fromYamlArray }}
- name: weir-{{ .folder }}
  mountPath: /etc/weir/{{ .folder }}
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Secrets that are mounted, and the folder below /etc/weir of each. */}}
{{- define "weir.secrets" -}}
{{- with .Values.grpc.tls }}
{{- if .enabled }}
- { folder: grpc-tls, secret: {{ include "weir.grpcTlsSecret" $ }} }
{{- if and .clientCertificates.required .clientCertificates.caSecret }}
- { folder: grpc-client-ca, secret: {{ .clientCertificates.caSecret }} }
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.config.xds }}
{{- if and .enabled .tls.enabled }}
- { folder: xds-tls, secret: {{ .tls.existingSecret }} }
{{- end }}
{{- end }}
{{- if eq .Values.store "redis" }}
{{- with .Values.redis }}
{{- if .auth.existingSecret }}
- { folder: redis-auth, secret: {{ .auth.existingSecret }} }
{{- end }}
{{- if and .tls.enabled .tls.existingSecret }}
- { folder: redis-tls, secret: {{ .tls.existingSecret }} }
{{- end }}
{{- if and .perSecond.enabled .perSecond.auth.existingSecret }}
- { folder: redis-per-second-auth, secret: {{ .perSecond.auth.existingSecret }} }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
