{{/* Names, and the labels by which objects find each other. */}}

{{- define "weir.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{/* 52 characters: the longest suffix, -dashboards, still fits into the 63 of a DNS label. */}}
{{- define "weir.fullname" -}}
{{- $name := include "weir.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "weir.selectorLabels" -}}
app.kubernetes.io/name: {{ include "weir.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "weir.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "weir.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/component: ratelimit
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The metadata of an object. Arguments: root, and optionally name, labels, annotations. */}}
{{- define "weir.metadata" -}}
{{- $annotations := merge (dict) (.annotations | default dict) .root.Values.commonAnnotations -}}
name: {{ .name | default (include "weir.fullname" .root) }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "weir.labels" .root | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "weir.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "weir.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "weir.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* The ConfigMap that is mounted; empty while rules come over xDS. */}}
{{- define "weir.rulesConfigMap" -}}
{{- if not .Values.config.xds.enabled -}}
{{- .Values.config.existingConfigMap | default (printf "%s-rules" (include "weir.fullname" .)) -}}
{{- end -}}
{{- end -}}

{{- define "weir.grpcTlsSecret" -}}
{{- .Values.grpc.tls.existingSecret | default (printf "%s-grpc-tls" (include "weir.fullname" .)) -}}
{{- end -}}

{{/* Number of pods without an autoscaler. */}}
{{- define "weir.replicas" -}}
{{- if kindIs "invalid" .Values.replicas -}}
{{- ternary 2 1 (eq .Values.store "redis") -}}
{{- else -}}
{{- .Values.replicas -}}
{{- end -}}
{{- end -}}
